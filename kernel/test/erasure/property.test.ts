import { type InferRequest, LATEST, type Pid, type Tokens } from '@pagefault/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ErasureReport, Kernel, Process } from '../../src/index.js';
import { createWorld, ghosts, marker, tracesIn, type World } from '../support/erasing.js';
import {
  type Family,
  live,
  messagesOf,
  passagesOf,
  SOURCE,
  SPEAKER,
  step,
  wordsIn,
} from '../support/lives.js';
import { keptOpen } from '../support/recall.js';
import { startKernel } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';
import { problemsOf } from '../support/whole.js';

const TARGETS = ['message', 'message', 'passage', 'source', 'speaker'] as const;
const erasure = fc.record({ target: fc.constantFrom(...TARGETS), pick: fc.nat(99) });
type Erasure = typeof erasure extends fc.Arbitrary<infer T> ? T : never;

interface Done {
  readonly reports: readonly ErasureReport[];
  /** What must be nowhere now. */
  readonly words: readonly string[];
}

const NOTHING: Done = { reports: [], words: [] };

async function eraseAny(
  world: World,
  kernel: Kernel,
  family: Family,
  { target, pick }: Erasure,
): Promise<Done> {
  if (target === 'speaker')
    return { reports: await kernel.eraseSpeaker(SPEAKER), words: family.ofSpeaker.splice(0) };
  if (target === 'source') return eraseSource(family, pick);
  const all = target === 'message' ? await messagesOf(world, family) : await passagesOf(world, family);
  const chosen = all[pick % Math.max(1, all.length)];
  if (!chosen) return NOTHING;
  const { process, id, words } = chosen;
  return {
    reports: [await process.erase(target === 'message' ? { messages: [id] } : { passages: [id] })],
    words,
  };
}

async function eraseSource({ members, ofSource }: Family, pick: number): Promise<Done> {
  const process = members[pick % members.length];
  const words = process && ofSource.get(process.pid);
  if (!process || !words) return NOTHING;
  ofSource.delete(process.pid);
  const reports = await process.erase({ source: SOURCE }).then(
    (report) => [report],
    // All of it may have been erased before, one by one.
    (error: unknown) => (expect(error).toMatchObject({ code: 'E_NOT_FOUND' }), []),
  );
  return { reports, words };
}

function withForks(report: ErasureReport): readonly ErasureReport[] {
  return [report, ...report.descendants.flatMap(withForks)];
}

/**
 * What the reports name is their reader's to edit or to erase. What stays may also be in the summary, and in a recording
 * that begins anew, of forks too.
 */
async function named(
  { recall }: World,
  reports: readonly ErasureReport[],
): Promise<(trace: string) => boolean> {
  const all = reports.flatMap(withForks);
  const isAny = all.some(({ quotedBy: { blocks, messages } }) => blocks.length + messages.length > 0);
  const patterns = isAny ? ['(recording|row state/summary) of .*'] : [];
  for (const { pid, quotedBy } of all) {
    const { blocks, messages, timers } = quotedBy;
    if (blocks.length > 0) patterns.push(`row (blocks|block-history|state/rendered).* of ${pid}`);
    patterns.push(...timers.map((id) => `row timers/${id} of ${pid}`));
    const { items } = await recall.read([{ pid, upTo: LATEST }], { ids: messages, limit: 1_000 });
    patterns.push(...items.map(({ seq }) => `message ${seq} of ${pid}`));
  }
  const pattern = new RegExp(`^(${patterns.join('|')})$`);
  return (trace) => pattern.test(trace);
}

async function checkErased(world: World, { reports, words }: Done): Promise<void> {
  for (const report of reports.flatMap(withForks)) {
    expect(report).toMatchObject({
      done: true,
      open: [],
      quotedBy: { passages: [], waiting: [], documents: [] },
    });
  }
  const isNamed = await named(world, reports);
  for (const word of words)
    expect((await tracesIn(world, word)).filter((trace) => !isNamed(trace))).toEqual([]);
}

/** What else there is can be found, and the process goes on. */
async function checkAlive({ recall }: World, process: Process): Promise<void> {
  const { items } = await recall.read([{ pid: process.pid, upTo: LATEST }], { limit: 10_000 });
  const left = items.findLast(({ message }) => message.role === 'user' && wordsIn(message).length > 0);
  const [word] = left ? wordsIn(left.message) : [];
  if (word !== undefined)
    expect((await process.search({ collection: 'messages', query: word })).total).toBeGreaterThan(0);
  expect((await process.send('hello')).outcome).toBe('answered');
}

/** Notes what is wrong with a request. */
function judge() {
  const problems: string[] = [];
  let most = Infinity;
  const onRequest = (_: Pid, request: InferRequest, tokens: Tokens) => {
    problems.push(...problemsOf(request));
    if (tokens > most) problems.push(`${tokens} tokens are more than ${most}`);
  };
  return { problems, onRequest, limit: (tokens: Tokens) => void (most = tokens) };
}

const RUNS = Number(process.env['PAGEFAULT_RUNS'] ?? 16);

onEachStore('after the erasure of anything from any history', (createRecall) => {
  it(
    'its words are in no row, log, index, summary, recording or fork; the others are found, and all goes on',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 3, maxLength: 16 }),
          fc.array(erasure, { minLength: 1, maxLength: 3 }),
          async (steps, erasures) => {
            const world = createWorld(keptOpen(createRecall()));
            const { problems, onRequest, limit } = judge();
            const options = { ...world, onRequest, window: 6_000, script: { window: 6_000, maxOutput: 400 } };
            const { kernel } = await startKernel(options);
            const root = await kernel.spawn();
            limit((await root.map()).budget.tokens);
            const family: Family = { members: [root], ofSpeaker: [], ofSource: new Map() };
            for (const [n, one] of steps.entries()) await live(family, one, n);
            for (const one of erasures) await checkErased(world, await eraseAny(world, kernel, family, one));
            const pids = family.members.map(({ pid }) => pid);
            await kernel.settle();
            expect(await ghosts(world, pids)).toEqual([]);
            for (const process of family.members) await checkAlive(world, process);
            await kernel.close();
            const again = await startKernel(options);
            for (const pid of pids)
              expect((await (await again.kernel.open(pid)).send('hello again')).outcome).toBe('answered');
            expect(problems).toEqual([]);
            const whole = await again.kernel.erase(root.pid, { cascade: true });
            expect(whole.done).toBe(true);
            expect(
              withForks(whole)
                .map(({ pid }) => pid)
                .toSorted(),
            ).toEqual(pids.toSorted());
            for (const n of steps.keys()) expect(await tracesIn(world, marker(n))).toEqual([]);
            expect(await world.recall.leftovers()).toEqual([]);
            await again.kernel.close();
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    120_000 + RUNS * 10_000,
  );
});
