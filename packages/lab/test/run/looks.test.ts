import { fifo, lru } from '@pagefault/kernel';
import { describe, expect, it } from 'vitest';
import {
  auditRows,
  auditStudy,
  billed,
  compareStudy,
  contextBounds,
  factsOf,
  findPricesInBook,
  FORESIGHT,
  inputEquivalents,
  leastFaultCost,
  leastRequests,
  PAGING_DEFAULTS,
  type PagingTrace,
  ratiosOf,
  runCell,
  sessionFigures,
  shown,
  signTest,
  stepRows,
  timelineStudy,
  whole,
} from '../../src/index.js';
import { collected } from '../support/lines.js';

const prices = findPricesInBook('claude-sonnet-5-5');
const ratios = ratiosOf(prices);
const options = { budget: 450, targetShare: 0.5, events: true, eachStep: true };

/** A page of 100 tokens a step; `needs` by step; a session ends after every `long` steps. */
function traceOf(steps: number, needs: (step: number) => readonly number[], long = steps) {
  const lines = Array.from({ length: steps }, (_, i) => [
    ...(i > 0 && i % long === 0 ? [{ type: 'boundary', step: i, kind: 'session_end' }] : []),
    { type: 'page', id: i, step: i, tok: 100, kind: 'user' },
    { type: 'step', i, ms: i, out: 7, needs: needs(i).map((id) => ({ id, why: 'annotated' })) },
  ]);
  return collected(...lines.flat());
}

const few = () => traceOf(8, (step) => ({ 2: [0], 7: [0, 6] })[step] ?? []);
const weekly = (steps: number, long?: number) =>
  traceOf(steps, (step) => (step % (long ?? steps) < 7 ? [] : [step - 7]), long);

function rowsFor(trace: PagingTrace) {
  return [
    runCell(trace, lru, options),
    runCell(trace, fifo, options),
    runCell(trace, FORESIGHT['farthest-need'](trace), options),
  ];
}
const experiment = (trace: PagingTrace, rows = rowsFor(trace)) => ({
  facts: factsOf(trace),
  model: 'claude-sonnet-5-5',
  prices,
  rows,
  bounds: [{ budget: 450, faults: 1, cost: 900 }],
  notes: [],
});

describe('timeline', () => {
  it('tells of each step what it added; together they are the whole run', async () => {
    const trace = await weekly(60);
    const row = runCell(trace, lru, options);
    const steps = stepRows(row, ratios, false);
    const sum = (key: string) => steps.reduce((all, step) => all + Number(step[key]), 0);
    expect(steps).toHaveLength(60);
    expect([sum('faults'), sum('evictions')]).toEqual([row.report.faults, row.report.evictions]);
    expect(sum('cost')).toBeCloseTo(inputEquivalents(whole(billed(row.report)), ratios), 6);
    expect(sum('tokens')).toBe(row.report.tokenSteps);
  });

  it('draws the budget, in each chart what no run can be below, and what knows the needs to come', async () => {
    const trace = await few();
    const soFar = [3, 5, 7].map((step, at) => ({
      step,
      faults: [0, 1, 1][at] ?? 0,
      cost: [900, 800, 1_000][at] ?? 0,
    }));
    const least = leastRequests(trace, options);
    const { charts, subtitle } = timelineStudy(experiment(trace), { soFar, least });
    const bounds = Object.fromEntries(
      charts.map(({ name, series }) => [name, series.filter(({ role }) => role === 'bound')]),
    );
    // What was paid is not given back: 800 after 900 stays 900.
    expect(bounds['cost']?.map(({ points }) => points)).toEqual([
      [
        [0, 0],
        [3, 900],
        [5, 900],
        [7, 1_000],
      ],
    ]);
    expect(bounds['faults']?.[0]).toMatchObject({
      draw: 'steps',
      points: [
        [0, 0],
        [3, 0],
        [5, 1],
        [7, 1],
      ],
    });
    // 400 tokens are there until pages may leave at step 4; then the page of the step, and what it needs.
    expect(bounds['resident']?.[0]?.points.map(([, tokens]) => tokens)).toEqual([
      100, 200, 300, 400, 100, 100, 100, 300,
    ]);
    expect(bounds['cache']?.[0]).toMatchObject({ name: 'lower bound: written' });
    expect(bounds['cache']?.[0]?.points.at(-1)).toEqual([7, 800]);
    expect(charts[0]?.marks).toEqual([{ name: 'budget: 450', axis: 'y', at: 450, role: 'limit' }]);
    expect(charts.every(({ series }) => series.some(({ role }) => role === 'foresight'))).toBe(true);
    expect(subtitle).toContain('not ranked');
  });
});

describe('audit', () => {
  it('says of a page when it was born, left and was needed, and what its absence cost against keeping it', async () => {
    const trace = await few();
    const rows = auditRows(runCell(trace, fifo, options), { ...PAGING_DEFAULTS, trace }, ratios, false);
    // It leaves at step 4 and is needed at 7, by a call that reads 500 tokens and says 100; read in again are 100.
    const cost = ratios.read * 500 + ratios.output * 100 + ratios.written * 100;
    const kept = ratios.read * 100 * 3;
    expect(rows[0]).toEqual({
      policy: 'fifo',
      page: 0,
      pageKind: 'user',
      tokens: 100,
      born: 0,
      evicted: '4',
      needed: '7',
      faults: 1,
      away: 3,
      cost,
      kept,
      net: cost - kept,
      dead: false,
      kind: 'policy',
      rankable: false,
    });
    // 1 and 2 left at 4, and 3, 4 and 5 at 7, for good.
    expect(rows.slice(1).map(({ page, dead, away, faults }) => [page, dead, away, faults])).toEqual([
      [3, true, 1, 0],
      [4, true, 1, 0],
      [5, true, 1, 0],
      [1, true, 4, 0],
      [2, true, 4, 0],
    ]);
  });

  it('takes no page for away after the end of its session', async () => {
    const trace = await weekly(40, 20);
    for (const row of auditRows(runCell(trace, lru, options), { ...PAGING_DEFAULTS, trace }, ratios, false))
      expect(Number(row['away'])).toBeLessThan(20);
  });

  it('charges a page as the simulator bills it, whatever part of faults is noticed and of pages found', async () => {
    const trace = await weekly(120);
    for (const [notice, recall] of [
      [0, 1],
      [1, 0],
      [0.5, 0.5],
      [1, 1],
    ] as const) {
      const setup = { ...PAGING_DEFAULTS, notice, recall };
      const row = runCell(trace, fifo, { ...options, notice, recall });
      const { faultCalls, lostFaults, pagedInTokens, silentFaults } = row.report;
      const rows = auditRows(row, { ...setup, trace }, ratios, false);
      const sum = rows.reduce((all, { cost }) => all + Number(cost), 0);
      const calls = inputEquivalents(faultCalls.short, ratios);
      expect(sum, `${silentFaults} unnoticed, ${lostFaults} not found`).toBeCloseTo(
        calls + ratios.written * pagedInTokens,
      );
    }
  });

  it('takes a page that was missed and not read in for away until it is, or the end', async () => {
    const row = runCell(await few(), fifo, { ...options, notice: 0 });
    const page = auditRows(row, { ...PAGING_DEFAULTS, trace: await few() }, ratios, false).find(
      (one) => one['page'] === 0,
    );
    // It left at step 4 and was missed at 7; there are 8 steps.
    expect(page).toMatchObject({ evicted: '4', needed: '7', away: 4, cost: 0 });
  });

  it('draws what no policy pays less than for all its faults', async () => {
    const trace = await weekly(60);
    const least = leastFaultCost(trace, options, ratios);
    const { charts, tables } = auditStudy(experiment(trace), {
      ...PAGING_DEFAULTS,
      trace,
      leastFaultCost: least,
    });
    const mark = {
      name: `lower bound of all faults together: ${shown(least, 'tokens')}`,
      axis: 'y',
      at: least,
    };
    expect(charts[0]?.marks).toEqual([{ ...mark, role: 'bound' }]);
    for (const policy of ['lru', 'fifo', 'farthest-need']) {
      const own = tables[0].rows.filter((row) => row['policy'] === policy);
      expect(own.reduce((sum, { cost }) => sum + Number(cost), 0)).toBeGreaterThanOrEqual(least);
    }
    expect(least).toBeGreaterThan(0);
  });

  it('adds up to the faults of the run, in its chart too', async () => {
    const trace = await weekly(60);
    const rows = rowsFor(trace);
    const { charts, tables } = auditStudy(experiment(trace, rows), { ...PAGING_DEFAULTS, trace });
    for (const { policy, report } of rows) {
      const own = tables[0].rows.filter((row) => row['policy'] === policy);
      expect(own.reduce((sum, { faults }) => sum + Number(faults), 0)).toBe(report.faults);
      expect(charts[0]?.series.find(({ name }) => name === policy)?.points).toHaveLength(
        1 + own.filter(({ dead }) => dead === false).length,
      );
    }
  });
});

describe('compare', () => {
  it('pairs policies session by session: figures of sessions add up to those of the run', async () => {
    const trace = await weekly(60, 20);
    const row = runCell(trace, lru, options);
    const sessions = sessionFigures(trace, row, ratios);
    expect(sessions.map(({ needs }) => needs)).toEqual([13, 13, 13]);
    expect(sessions.reduce((sum, { faults }) => sum + faults, 0)).toBe(row.report.faults);
    expect(sessions.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(
      inputEquivalents(whole(billed(row.report)), ratios),
      6,
    );
  });

  it('holds all against the first, over traces, and names the pages that decided', async () => {
    const traces = await Promise.all([weekly(60, 20), few()]);
    const study = compareStudy({
      traces: traces.map((trace) => ({ trace, facts: factsOf(trace), rows: rowsFor(trace) })),
      prices,
      notes: [],
    });
    expect(study.tables[0].rows).toHaveLength(3 * (3 + 1));
    expect(
      study.tables[0].rows
        .filter(({ policy }) => policy === 'lru')
        .every(({ moreFaults, moreCost }) => moreFaults === 0 && moreCost === 0),
    ).toBe(true);
    expect(study.tables[1]?.rows.map(({ policy }) => policy)).toEqual(['fifo', 'farthest-need']);
    for (const { moreFaults, policy } of study.tables[1]?.rows ?? []) {
      const pages = study.tables[2]?.rows.filter((row) => row['policy'] === policy) ?? [];
      if (policy === 'fifo')
        expect(pages.reduce((sum, row) => sum + Number(row['moreFaults']), 0)).toBe(moreFaults);
    }
  });

  const boundsOf = (trace: PagingTrace, contexts: 'one' | 'session') => [
    { budget: 450, each: contextBounds(trace, { ...options, contexts }, ratios) },
  ];
  const compared = (trace: PagingTrace, contexts: 'one' | 'session') =>
    compareStudy({
      traces: [{ trace, facts: factsOf(trace), rows: rowsFor(trace), bounds: boundsOf(trace, contexts) }],
      prices,
      notes: [],
    });

  it('draws what no policy can cost less than in each session, in an order that it stays below, and sums it up', async () => {
    const { charts, tables } = compared(await weekly(60, 20), 'session');
    const [bound, ...others] = (charts[0]?.series ?? []).toSorted((a) => (a.role === 'bound' ? -1 : 1));
    expect(bound?.points).toHaveLength(3);
    for (const { points } of others)
      for (const [at, [, share]] of points.entries())
        expect(share).toBeGreaterThanOrEqual(bound?.points[at]?.[1] ?? 0);
    const own = tables[0].rows.filter(({ kind }) => kind === 'bound');
    expect(tables[1]?.rows.at(-1)).toMatchObject({
      policy: 'lower bound',
      moreCost: expect.closeTo(
        own.reduce((sum, row) => sum + Number(row['moreCost']), 0),
        6,
      ) as number,
    });
  });

  it('draws one bound of all sessions where they share a context, for none holds of one of them', async () => {
    const { charts, tables } = compared(await weekly(60, 20), 'one');
    expect(charts[0]?.series.filter(({ role }) => role === 'bound')).toEqual([]);
    const share = Number(tables[1]?.rows.at(-1)?.['moreCostShare']);
    expect(share).toBeLessThan(0);
    expect(charts[0]?.marks?.at(-1)).toEqual({
      name: 'lower bound of all sessions together',
      axis: 'y',
      at: share * 100,
      role: 'bound',
    });
  });

  it('says that there are too few needs to tell which is better', async () => {
    const trace = await few();
    const study = compareStudy({
      traces: [{ trace, facts: factsOf(trace), rows: rowsFor(trace) }],
      prices,
      notes: [],
    });
    expect(study.rankable).toBe(false);
    expect(study.notes.join(' ')).toContain('too few needs');
    expect(study.charts[0]?.subtitle).toContain('not ranked, for that takes 200');
  });

  it.each([
    [0, 0, 1],
    [5, 5, 1],
    [0, 5, 0.0625],
    [8, 1, 0.0390625],
  ])('knows how often chance alone is as uneven as %i to %i', (fewer, more, chance) => {
    expect(signTest(fewer, more)).toBeCloseTo(chance, 9);
    expect(signTest(more, fewer)).toBeCloseTo(chance, 9);
  });
});
