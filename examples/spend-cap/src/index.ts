import { start } from '@pagefault/wiring';

// The key comes from OPENAI_API_KEY; without one run `test/local.ts`, which plays the provider.
await using machine = await start({
  overrides: {
    recall: 'memory',
    archival: 'none',
    processor: { driver: 'openai', model: 'gpt-4o' },
    limits: { processSpend: 0.02 }, // US dollars; there are turnSpend and stackSpend too
  },
});
const agent = await machine.kernel.spawn({ name: 'ada' });
for (let day = 1, isSpent = false; !isSpent; day += 1) {
  const { outcome, failure } = await agent.send(`Day ${day}: rain again, and the barn roof leaks.`);
  const { spend = 0 } = (await agent.map()).counters;
  console.log(`day ${day}: ${outcome}, $${(spend / 1_000_000).toFixed(4)} so far`);
  if (failure) console.log(`${failure.message}; ${failure.hint ?? ''}`);
  isSpent = failure !== undefined;
}
