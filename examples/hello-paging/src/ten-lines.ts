import { start } from '@pagefault/wiring';

await using machine = await start({ overrides: { recall: 'memory', archival: 'none', window: 4096 } });
const { kernel } = machine;
kernel.bus.on('flush-finished', ({ evicted, before, after }) => console.log(evicted, before, after));

const agent = await kernel.spawn({ name: 'ada' });
await agent.send('My name is Ada and I breed alpacas in Cork.');
const { text, outcome } = await agent.send('What do I breed, and where?');
console.log(outcome, text);
