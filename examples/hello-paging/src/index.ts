import { start } from '@pagefault/wiring';

// A small window, so that paging shows; everything in plain memory, so that nothing stays.
await using machine = await start({
  env: {},
  overrides: { recall: 'memory', archival: 'none', processor: 'reflex', window: 4096 },
});
const { kernel } = machine;
kernel.bus.on('flush-finished', ({ evicted, before, after }) =>
  console.log(`flush: ${evicted} pages evicted, ${before} -> ${after} tokens`),
);
kernel.bus.on('page-needed', ({ page, fault }) =>
  console.log(`page ${page} needed${fault ? ': page fault' : ''}`),
);

const agent = await kernel.spawn({ name: 'ada' });
await agent.send('My name is Ada and I breed alpacas in Cork.');
const diary = Array.from({ length: 80 }, (_, day) => ({
  text: `Day ${day + 1}: rain again, and the barn roof leaks.`,
}));
await agent.append(diary);

const { text } = await agent.send('What do I breed, and where?');
console.log(text);
