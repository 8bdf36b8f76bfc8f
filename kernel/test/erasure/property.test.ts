import type { LogEntry, Pid } from '@pagefault/contracts';
import { LATEST } from '@pagefault/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ErasureReport, Kernel, Process } from '../../src/index.js';
import { createWorld, ghosts, sentence, tracesIn, type World } from '../support/erasing.js';
import { keptOpen } from '../support/recall.js';
import { startKernel } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';
import { textOf } from '../support/words.js';

const DEEDS = ['say', 'tell', 'find', 'show', 'store', 'look-up', 'edit', 'fill', 'fork', 'rest'] as const;

const step = fc.record({ deed: fc.constantFrom(...DEEDS), who: fc.nat(9), about: fc.nat(7) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const options = { window: 6_000, script: { window: 6_000, maxOutput: 400 } };

async function live(family: Process[], { deed, who, about }: Step, n: number): Promise<void> {
  const process = family[who % family.length];
  if (!process) return;
  switch (deed) {
    case 'say':
      return void (await process.send(sentence(n)));
    case 'tell':
      return void (await process.append([{ text: sentence(n), name: 'Ada' }]));
    case 'find':
      return void (await process.send(`find barn number ${about}`));
    case 'show':
      return void (await process.send(`show m${about + 1}`));
    case 'look-up':
      return void (await process.send(`look-up barn number ${about}`));
    case 'store':
    case 'edit':
      return void (await process.send(`${deed} ${n}`));
    case 'fill':
      return void (await process.append([{ text: textOf(900, 'rain') }, { text: textOf(900, 'hail') }]));
    case 'fork':
      return void family.push(await process.fork());
    case 'rest':
      return void (await process.blocks.set('human', 'Keeps alpacas.'));
  }
}

async function logOf(world: World, pid: Pid): Promise<readonly LogEntry[]> {
  return (await world.recall.read([{ pid, upTo: LATEST }], { limit: 10_000 })).items;
}

function markersIn(value: unknown): readonly string[] {
  return [...new Set(JSON.stringify(value).match(/zq\d{4}k/g) ?? [])];
}

/** Blocks that quote are the user's to edit, and a recording that begins anew begins with them. */
function allowed(report: ErasureReport): RegExp {
  const all = [report, ...report.descendants];
  const isQuoted = all.some(({ quotedBy }) => quotedBy.blocks.length > 0);
  return isQuoted ? /^(row (blocks|block-history|state\/rendered)|recording)/ : /^$/;
}

async function eraseAny(
  world: World,
  kernel: Kernel,
  family: readonly Process[],
  pick: number,
): Promise<void> {
  const own = await Promise.all(
    family.map(async (process) => {
      const entries = await logOf(world, process.pid);
      return entries.map((entry) => ({ process, entry }));
    }),
  );
  const all = own.flat();
  const chosen = all[pick % Math.max(1, all.length)];
  if (!chosen) return;
  const { process, entry } = chosen;
  const isOriginal = !entry.message.parts.some((part) => part.type === 'result');
  const words = isOriginal ? markersIn(entry.message) : [];
  const report = await process.erase({ messages: [entry.message.id] });
  expect(report).toMatchObject({ done: true, open: [] });
  for (const word of words) {
    const traces = await tracesIn(world, word);
    expect(traces.filter((trace) => !isElsewhere(report, trace))).toEqual([]);
  }
  await kernel.settle();
  expect(
    await ghosts(
      world,
      family.map(({ pid }) => pid),
    ),
  ).toEqual([]);
}

function isElsewhere(report: ErasureReport, trace: string): boolean {
  return allowed(report).test(trace);
}

onEachStore('after the erasure of any message of any history', (createRecall) => {
  it('its words are in no row, log, index, summary, recording or fork; the others are found, and all goes on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 14 }),
        fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
        async (steps, picks) => {
          const world = createWorld(keptOpen(createRecall()));
          const { kernel } = await startKernel({ ...options, ...world });
          const family = [await kernel.spawn()];
          for (const [n, one] of steps.entries()) await live(family, one, n);
          for (const pick of picks) await eraseAny(world, kernel, family, pick);
          for (const process of family) {
            const left = (await logOf(world, process.pid)).findLast(
              ({ message }) => markersIn(message).length > 0,
            );
            const [word] = left && left.message.role === 'user' ? markersIn(left.message) : [];
            if (word !== undefined)
              expect((await process.search({ collection: 'messages', query: word })).total).toBeGreaterThan(
                0,
              );
            expect((await process.send('hello')).outcome).toBe('answered');
          }
          await kernel.close();
          const again = await startKernel({ ...options, ...world });
          for (const { pid } of family)
            expect((await (await again.kernel.open(pid)).send('hello again')).outcome).toBe('answered');
          await again.kernel.close();
        },
      ),
      { numRuns: 12 },
    );
  });
});
