/** The invariants through the whole kernel, on each store: many processes in one store, each with a random life. */
import type { Message } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changedRows } from '../../src/core/records.js';
import { rerun } from '../../src/index.js';
import type { PageEntry } from '../../src/shell/memory-map.js';
import { loadProcess, loadState } from '../../src/shell/storage.js';
import { countPiece } from '../support/count.js';
import { anyLife, type Life } from '../support/any-life.js';
import { livedOn, type Living } from '../support/living.js';
import { openWire } from '../support/wire.js';
import { copy } from '../support/store.js';
import { onEachStore } from '../support/stores.js';
import { problemsOf } from '../support/whole.js';

const OUTCOMES = new Set(
  (
    'answered yielded refused truncated interrupted failed cycle-cap spend-cap time-cap repeating thrashing ' +
    'lease-lost'
  ).split(' '),
);

function seqsOf({ firstSeq, lastSeq }: PageEntry): number[] {
  return Array.from({ length: lastSeq - firstSeq + 1 }, (_, index) => firstSeq + index);
}

function markersIn(value: unknown): string[] {
  return [...new Set(JSON.stringify(value).match(/zq\d{4}k/g) ?? [])];
}

/** Said, or found by a tool; not what the kernel says, what is told to memory, or what was put back by it. */
function wasSaid({ notice, parts }: Message): boolean {
  if (notice) return false;
  const isMemory = /^(core_memory|archival_memory|conversation_search|page_in|pin)/;
  return !parts.some((part) => (part.type === 'call' || part.type === 'result') && isMemory.test(part.name));
}

onEachStore('any life in any store', (createRecall, store) => {
  /** The embedded database is slow. */
  const numRuns = store === 'memory' ? 25 : 5;

  /** Five lives may all be short ones; the same lives in memory are enough to say that much is looked at. */
  const atLeast = (least: number): number => (store === 'memory' ? least : 0);

  async function inEach(look: (living: Living) => void | Promise<void>): Promise<void> {
    const recall = createRecall();
    await fc.assert(
      fc.asyncProperty(anyLife, (life: Life) => livedOn(recall, life, look)),
      { numRuns },
    );
  }

  it('sends nothing over the budget, and counts everything that it sends (invariant 1)', async () => {
    let flushes = 0;
    await inEach(async (living) => {
      for (const { request, tokens, budget } of living.requests) {
        const counted =
          countPiece({ kind: 'tools', tools: request.tools }) +
          countPiece({ kind: 'system', text: request.system }) +
          request.messages.reduce((sum, message) => sum + countPiece({ kind: 'message', message }), 0);
        expect(counted).toBeLessThanOrEqual(tokens);
        expect(tokens).toBeLessThanOrEqual(budget);
      }
      flushes += (await living.process.map()).counters.flushes;
    });
    expect(flushes).toBeGreaterThanOrEqual(atLeast(3));
  });

  it('sends what OpenAI and Anthropic accept: pairs whole, ids unique, nothing empty (invariant 2)', async () => {
    const wire = await openWire();
    await inEach(async ({ requests }) => {
      for (const { request } of requests) expect(problemsOf(request)).toEqual([]);
      for (const { request } of requests.slice(-6)) expect(await wire.problemsOf(request)).toEqual([]);
    });
    await wire.close();
  });

  it('finds every page again that has left the queue: by handle, by its words, by its date (invariant 4)', async () => {
    let found = 0;
    await inEach(async (living) => {
      const { pages } = await living.process.map();
      const shown = new Set(pages.flatMap((page) => (page.residency === 'resident' ? seqsOf(page) : [])));
      // Some windows have no room for a result: what is looked for is whether it is there.
      await living.restart(24_000);
      const gone = (await living.log()).filter(({ seq }) => !shown.has(seq));
      for (const entry of gone.slice(0, store === 'memory' ? 20 : 8)) {
        const marks = markersIn(entry.message);
        if (marks.length === 0) continue;
        found++;
        const handle = `m${entry.seq}`;
        expect(await living.given('page_in', { handle })).toContain(marks[0]);
        if (!wasSaid(entry.message)) continue;
        const { at } = entry.message;
        for (const request of [...marks.map((query) => ({ query })), { since: at, until: at + 1 }]) {
          const { hits } = await living.process.search({ collection: 'messages', size: 1_000, ...request });
          expect(hits.map((hit) => hit.handle)).toContain(handle);
        }
      }
    });
    expect(found).toBeGreaterThanOrEqual(atLeast(9));
  });

  it('is loaded as it was saved, byte for byte (invariant 5)', async () => {
    const recall = createRecall();
    const saved = async ({ pid }: Living): Promise<string> => {
      const record = await loadProcess(recall, pid);
      const state = record && (await loadState(recall, record));
      const puts = state ? changedRows(undefined, state).puts : [];
      return JSON.stringify(puts.toSorted((a, b) => (a.space + a.key < b.space + b.key ? -1 : 1)));
    };
    await fc.assert(
      fc.asyncProperty(anyLife, (life) =>
        livedOn(recall, life, async (living) => {
          const map = copy(await living.process.map());
          const before = await saved(living);
          await living.restart();
          expect(copy(await living.process.map())).toEqual(map);
          expect(await saved(living)).toBe(before);
        }),
      ),
      { numRuns },
    );
  });

  it('goes on after a restart with the same requests as without one (invariant 5)', async () => {
    const recall = createRecall();
    let lives = 0;
    await fc.assert(
      fc.asyncProperty(anyLife, async (life) => {
        const steps = life.steps.filter((step) => step.do !== 'swap');
        const often = steps.flatMap((step) => [step, { do: 'swap', window: life.window } as const]);
        const requestsOf = ({ requests }: Living) => requests.map(({ request }) => JSON.stringify(request));
        const mark = `twice${(lives += 1)}`;
        const live = await livedOn(createRecall(), { ...life, steps }, requestsOf, mark);
        const again = await livedOn(recall, { ...life, steps: often }, requestsOf, mark);
        expect(again).toEqual(live);
      }),
      { numRuns },
    );
  });

  it('runs again from its recordings to the same requests and evictions (invariant 6)', async () => {
    let [requests, evicted] = [0, 0];
    await inEach(async (living) => {
      await living.close();
      for (const lines of living.recordings) {
        const report = await rerun(lines);
        expect(report).toMatchObject({ equal: report.requests, torn: false });
        expect(report.firstDifference ?? report.firstOtherEvent).toBeUndefined();
        [requests, evicted] = [requests + report.requests, evicted + report.evicted];
      }
    });
    expect(Math.min(requests, evicted)).toBeGreaterThanOrEqual(atLeast(11));
  });

  it('is the same as in plain memory: blocks, passages, messages, requests and outcomes (invariant 7)', async () => {
    const recall = createRecall();
    let lives = 0;
    await fc.assert(
      fc.asyncProperty(anyLife, async (life) => {
        const mark = `same${(lives += 1)}`;
        const all = async (living: Living) => ({
          requests: living.requests,
          results: living.results,
          map: await living.process.map(),
          log: await living.log(),
          passages: (await living.rows('passages')).map(({ key, value }) => ({ key, value })),
        });
        const here = await livedOn(recall, life, all, mark);
        expect(here).toEqual(await livedOn(createMemoryRecall(), life, all, mark));
      }),
      { numRuns },
    );
  });

  it('ends every run with its outcome, which is stored (invariant 10)', async () => {
    await inEach(async (living) => {
      for (const { outcome } of living.results) expect(OUTCOMES).toContain(outcome);
      expect(await living.rows('inbox')).toEqual([]);
      expect((await living.rows('state')).filter(({ key }) => key === 'turn')).toEqual([]);
      const deliveries = await living.rows('deliveries');
      expect(deliveries.map(({ value }) => value)).toEqual(
        expect.arrayContaining(
          living.results.map(({ outcome, turnId }) =>
            expect.objectContaining({ state: 'done', outcome, turnId }),
          ),
        ),
      );
    });
  });
});
