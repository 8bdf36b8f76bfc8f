import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasCode } from '@pagefault/contracts';
import { migrateStores, start } from '@pagefault/wiring';
import { ask, tell } from './conversation.js';

// One conversation on three stacks. Each is a file in `stacks`, and nothing below knows what is in them. The last one wants
// PAGEFAULT_PG_URL, and has its vectors in PAGEFAULT_ARCHIVAL (qdrant://…) or else in the same database.
const stacks = process.argv.length > 2 ? process.argv.slice(2) : ['memory', 'embedded', 'server'];
const env = { ...process.env, SWAP_FOLDER: await mkdtemp(join(tmpdir(), 'swap-storage-')) };
const at = (stack: string) => ({
  env,
  configFile: fileURLToPath(new URL(`../stacks/${stack}.json`, import.meta.url)),
});
const told: Record<string, Record<string, string>> = {};

for (const stack of stacks) {
  try {
    await using machine = await start(at(stack));
    const agent = await tell(machine.kernel);
    told[stack] = await ask(agent);
    if (stack !== 'embedded') await machine.kernel.erase(agent.pid);
  } catch (error) {
    if (!hasCode(error, 'E_CONFIG')) throw error;
    console.log(`${stack} is left out: ${error.message}\n`);
  }
}
for (const title of Object.keys(Object.values(told)[0] ?? {})) {
  console.log(title);
  for (const [stack, { [title]: text = '' }] of Object.entries(told))
    console.log(`  ${stack.padEnd(9)} ${text.replaceAll('\n', ' ')}`);
}
if (told['embedded']) await carryOn(told['server'] ? 'server' : 'elsewhere');
await rm(env.SWAP_FOLDER, { recursive: true });

/** The same process, on another store: it goes on as if nothing had happened. */
async function carryOn(target: string): Promise<void> {
  for await (const { name, messages, became } of migrateStores({ from: at('embedded'), to: at(target) }))
    console.log(`\n${name} goes to ${target}: ${messages} messages ${became}`);
  await using machine = await start(at(target));
  const agent = await machine.kernel.find('ada');
  console.log((await agent?.send('What do I breed, and where?'))?.text);
  if (agent) await machine.kernel.erase(agent.pid);
}
