import { start } from '@pagefault/wiring';

// Keys come from OPENAI_API_KEY and ANTHROPIC_API_KEY; without them run `test/local.ts`, which plays both providers.
await using machine = await start({
  overrides: {
    recall: 'memory',
    archival: 'none',
    processors: {
      gpt: { driver: 'openai', model: 'gpt-5.4-mini' },
      claude: { driver: 'anthropic', model: 'claude-haiku-4-5' },
    },
    processor: 'gpt',
  },
});
const agent = await machine.kernel.spawn({ name: 'ada' });
console.log('gpt:', (await agent.send('My name is Ada and I breed alpacas in Cork.')).text);

await agent.useProcessor('claude');
console.log('claude:', (await agent.send('What do I breed, and where?')).text);
