import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectTrace,
  needCounts,
  pageCount,
  sessionsOf,
  stepCount,
  TraceCounter,
  type TraceLine,
} from '../../src/index.js';
import { sessionAt } from '../../src/trace/sessions.js';

const header: TraceLine = { type: 'header', v: 1, id: 'two', source: 'made', needKinds: ['annotated'] };
const page = (id: number, step: number, tok: number): TraceLine => ({
  type: 'page',
  id,
  step,
  tok,
  kind: 'user',
});
const step = (i: number, ms: number, ...ids: number[]): TraceLine => ({
  type: 'step',
  i,
  ms,
  out: i,
  needs: ids.map((id) => ({ id, why: 'annotated' })),
});

/** Two sessions of two steps; in the second, a page is made out of date. */
const lines: TraceLine[] = [
  header,
  page(0, 0, 10),
  step(0, 0),
  page(1, 1, 11),
  { type: 'boundary', step: 1, kind: 'task_switch' },
  step(1, 500, 0),
  { type: 'boundary', step: 2, kind: 'session_end' },
  page(2, 2, 12),
  step(2, 9_000),
  page(3, 3, 13),
  { type: 'supersede', step: 3, old: 2, new: 3 },
  step(3, 9_500, 2, 3),
  { type: 'usage', step: 3, read: 1, write: 2, plain: 3, out: 4 },
];

describe('the sessions of a trace', () => {
  it('are found by their steps', () => {
    const later = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(later, fc.nat({ max: 35 }), (steps, step) => {
        const starts = [0, ...steps.toSorted((a, b) => a - b)];
        expect(sessionAt(starts, step)).toBe(starts.findLastIndex((start) => start <= step));
      }),
    );
  });

  it('are traces by themselves, numbered from 0, from time 0 on', async () => {
    const [first, second, none] = sessionsOf(await collectTrace(lines));
    expect(none).toBeUndefined();
    expect([...(first?.tokens ?? [])]).toEqual([10, 11]);
    expect([...(first?.times ?? [])]).toEqual([0, 500]);
    expect([...(first?.needs ?? [])]).toEqual([0]);
    expect([...(first?.boundaryStart ?? [])]).toEqual([0, 0, 1]);
    expect([...(second?.bornStart ?? [])]).toEqual([0, 1, 2]);
    expect([...(second?.boundaries ?? [])]).toEqual([]);
    expect([...(second?.tokens ?? [])]).toEqual([12, 13]);
    expect([...(second?.times ?? [])]).toEqual([0, 500]);
    expect([...(second?.replies ?? [])]).toEqual([2, 3]);
    expect([...(second?.needs ?? [])]).toEqual([0, 1]);
    expect([...(second?.needStart ?? [])]).toEqual([0, 0, 2]);
    expect([...(second?.superseded ?? [])]).toEqual([0]);
    expect(second?.usage).toMatchObject([{ step: 1, read: 1 }]);
  });

  it('have together what the trace has', async () => {
    const trace = await collectTrace(lines);
    const sessions = sessionsOf(trace);
    const sum = (count: (one: typeof trace) => number) => sessions.reduce((all, one) => all + count(one), 0);
    expect(sum(pageCount)).toBe(pageCount(trace));
    expect(sum(stepCount)).toBe(stepCount(trace));
    expect(sum((one) => needCounts(one).annotated)).toBe(needCounts(trace).annotated);
  });

  it('are counted as they are told apart, also where the last is said to have ended', async () => {
    const closed: TraceLine[] = [...lines, { type: 'boundary', step: 4, kind: 'session_end' }];
    for (const told of [lines, closed, lines.slice(0, 1)]) {
      const counter = new TraceCounter();
      for (const line of told) counter.take(line);
      const trace = await collectTrace(told);
      expect(counter.summary().sessions).toBe(stepCount(trace) === 0 ? 0 : sessionsOf(trace).length);
    }
  });

  it('are the trace itself, where there is one', async () => {
    const trace = await collectTrace(lines.slice(0, 6));
    expect(sessionsOf(trace)).toEqual([trace]);
  });
});
