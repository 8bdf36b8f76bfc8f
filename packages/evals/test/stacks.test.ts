import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Kernel, Process, SearchRequest } from '@pagefault/kernel';
import { type StartOptions, start } from '@pagefault/wiring';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from './support/folder.js';

// Other operating-system processes and real stores: slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const folder = temporaryFolder();
type Settings = NonNullable<StartOptions['overrides']>;

const SAID = [
  'My name is Ada and I breed alpacas in Cork.',
  'I have two dogs: Rex and Fido. Rex sleeps in the barn.',
  '我在科克养羊驼。',
  'Remember that the vet is Dr Byrne and her number is 021 555 0147.',
  'What do I breed, and where?',
  'My favourite colour is green.',
  'My favourite colour is blue now, not green.',
  'Who is the vet?',
  'Where does Rex sleep?',
];

const FILLER = Array.from(
  { length: 40 },
  (_, n) =>
    `On day ${n} the alpaca of stall ${n * 7} gave ${n * 13} grams of wool ${'and ate hay '.repeat(9)}.`,
);

const PASSAGES = [
  { text: 'Alpacas are shorn once a year, in spring.', source: 'guide.md' },
  { text: 'The fleece of a huacaya is dense and crimped.', source: 'guide.md' },
  { text: 'Cork is a city in the south of Ireland.' },
];

const SEARCHES: readonly SearchRequest[] = [
  // Without a query: the whole log.
  { collection: 'messages', size: 1_000 },
  { collection: 'messages', query: 'alpacas in Cork' },
  { collection: 'messages', query: 'wool stall 49', page: 1 },
  { collection: 'messages', query: '羊驼' },
  { collection: 'messages', query: 'dogs that sleep in a building' },
  { collection: 'messages', query: 'nothing like it: zyzzyva' },
  { collection: 'passages', query: 'when is shearing' },
  { collection: 'passages', query: 'Ireland' },
];

/** Time and ids are counted, so that runs are alike. */
function counted() {
  let minted = 0;
  let now = Date.UTC(2026, 0, 1);
  const mintId = () => `00000000-0000-7000-8000-${String((minted += 1)).padStart(12, '0')}`;
  return { mintId, clock: { now: () => (now += 1_000), at: () => () => undefined } };
}

async function live(settings: Settings) {
  const cwd = join(folder, settings.data ?? 'memory');
  mkdirSync(cwd, { recursive: true });
  const { data: _, ...rest } = settings;
  const overrides = { processor: 'reflex', window: 6_000, data: cwd, ...rest };
  await using machine = await start({ cwd, env: {}, overrides, ...counted() });
  const { kernel } = machine;
  const agent = await kernel.spawn({ name: 'p' });
  const results = [];
  await agent.archive(PASSAGES);
  for (const text of SAID) results.push(await told(kernel, agent, text));
  await agent.append(FILLER.map((text, n) => ({ id: `f${n}`, text, role: n % 2 ? 'assistant' : 'user' })));
  for (const text of SAID) results.push(await told(kernel, agent, text));
  await kernel.settle();
  const searches = [];
  for (const request of SEARCHES) searches.push(await agent.search(request));
  const { blocks, pages, summary, messages, passages, counters } = await agent.map();
  return { results, searches, blocks, pages, summary, messages, passages, counters };
}

/** The outcome of a turn and what was said, by a memory whose index has caught up. */
async function told(kernel: Kernel, agent: Process, text: string) {
  await kernel.settle();
  const { outcome, text: answer, cycles } = await agent.send(text);
  return { outcome, answer, cycles };
}

describe('the same life on two stacks (invariant 7)', () => {
  it('ends with the same blocks, passages, messages and search results by text', async () => {
    const settings = { archival: 'none', embedder: 'none' };
    const memory = await live({ recall: 'memory', ...settings });
    const embedded = await live({ data: 'text', ...settings });
    expect(embedded).toEqual(memory);
    expect(memory.counters.flushes).toBeGreaterThanOrEqual(1);
    expect(memory.results.map(({ outcome }) => outcome)).not.toContain('failed');
  });

  it('ends with the same, also by meaning', async () => {
    const memory = await live({ recall: 'memory', archival: 'memory' });
    const embedded = await live({ data: 'vectors', archival: 'pgvector' });
    expect(embedded).toEqual(memory);
    expect(memory.searches.filter(({ hits }) => hits.length === 0)).toEqual([]);
  });
});
