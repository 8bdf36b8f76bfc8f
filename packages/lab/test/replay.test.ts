import { fifo, lru, type PagingPolicy } from '@pagefault/kernel';
import { describe, expect, it } from 'vitest';
import { type Reclaim, recordedEvictions, replay, type Step, type Trace } from '../src/index.js';

const birth = (id: number, tokens = 100): Step => ({
  kind: 'birth',
  page: { id, kind: 'user', tokens, firstSeq: id, lastSeq: id },
});
const need = (page: number): Step => ({ kind: 'need', page, why: 'search-hit' });
const request = (tokens: number): Step => ({ kind: 'request', tokens, budget: 500 });
const reclaim = (step: number, release: number, eligible: number[], evicted: number[]): Reclaim => ({
  kind: 'reclaim',
  step,
  release,
  eligible,
  evicted,
});

/** Five pages of 100 tokens; page 1 is needed again and again; two reclaims of 200 tokens, recorded under fifo. */
const trace: Trace = {
  policy: 'fifo',
  steps: [
    ...[1, 2, 3, 4].map((id) => birth(id)),
    need(1),
    request(450),
    birth(5),
    reclaim(1, 200, [1, 2, 3, 4], [1, 2]),
    request(350),
    need(1),
    birth(6),
    birth(7),
    reclaim(2, 200, [3, 4, 5, 6], [3, 4]),
    request(350),
    need(1),
    need(4),
  ],
};

describe('a replay', () => {
  it('evicts the same pages at the same steps under the policy that was recorded', () => {
    expect(replay(trace, fifo).evictions).toEqual(recordedEvictions(trace));
  });

  it('counts a fault for each need of a page that is not resident', () => {
    expect(replay(trace, fifo)).toMatchObject({ needs: 4, faults: 3, faultRate: 0.75 });
  });

  it('keeps what was needed under lru, and pays with what was not', () => {
    const report = replay(trace, lru);
    expect(report.evictions).toEqual([
      { step: 1, page: 2 },
      { step: 1, page: 3 },
      { step: 2, page: 4 },
      { step: 2, page: 5 },
    ]);
    expect(report).toMatchObject({ faults: 1, dead: 3 });
  });

  it('gives the same report each time it is run', () => {
    expect(replay(trace, lru)).toEqual(replay(trace, lru));
  });

  it('tops up oldest first when a policy gives too little, and passes over what may not go', () => {
    const mute = (): PagingPolicy => ({ ...fifo(), id: 'mute', victims: () => [99, 7] });
    expect(replay(trace, mute).evictions).toEqual(recordedEvictions(trace));
  });

  it('evicts on its own account when its pages alone would be over the budget', () => {
    const hoard = (): PagingPolicy => ({ ...fifo(), id: 'hoard' });
    const late: Trace = { policy: 'fifo', steps: [birth(1, 400), birth(2, 200), request(700), need(1)] };
    expect(replay(late, hoard)).toMatchObject({ evictions: [{ page: 1 }], faults: 1 });
  });

  it('tells a policy what the kernel told: the budget first, and at a reclaim what is talked about and what pages take', () => {
    const told: unknown[] = [];
    const curious = (): PagingPolicy => ({
      ...fifo(),
      configure: (limits) => void told.push(limits),
      onBirth: (page) => void told.push(page),
      victims: ({ release, step, focus, isEligible, tokensOf }) => {
        told.push({ release, step, focus, sizes: [1, 2].filter(isEligible).map((id) => tokensOf?.(id)) });
        return [1];
      },
    });
    const page = { id: 1, kind: 'user', tokens: 100, firstSeq: 1, lastSeq: 1, facts: 3, terms: [7] } as const;
    replay(
      {
        policy: 'fifo',
        steps: [
          { kind: 'capacity', tokens: 500 },
          { kind: 'birth', page },
          birth(2),
          { ...reclaim(4, 30, [1], [1]), sizes: [40], focus: [7, 9] },
        ],
      },
      curious,
    );
    expect(told).toEqual([
      { capacity: 500, unit: 'tokens' },
      page,
      expect.objectContaining({ id: 2 }),
      { release: 30, step: 4, focus: [7, 9], sizes: [40] },
    ]);
  });

  it('takes a page for as large as its stub once a reclaim says so, in what it holds and in what it must release', () => {
    const newest = (): PagingPolicy => ({ ...fifo(), id: 'newest', victims: () => [3] });
    const births = [birth(1, 400), birth(2), birth(3), birth(4)];
    const stubbed: Reclaim = { ...reclaim(1, 100, [1, 2, 3], [1, 2]), sizes: [40, 100, 100] };
    const report = replay(
      {
        policy: 'fifo',
        steps: [
          ...births,
          { kind: 'stub', page: 1 },
          stubbed,
          request(300),
          birth(5),
          reclaim(2, 50, [3, 4], [3]),
        ],
      },
      newest,
    );
    // The stub, 2 and 4, at the request; then 40 more than the recorded run holds, and 50 to release: the stub and 2.
    expect(report.peak).toBe(240);
    expect(report.evictions).toEqual([
      { step: 1, page: 3 },
      { step: 2, page: 1 },
      { step: 2, page: 2 },
    ]);
  });

  it('lets all go that a policy names, as the pager does, and asks for nothing where nothing must go', () => {
    const bulk = (): PagingPolicy => {
      const lives = fifo();
      return { ...lives, id: 'bulk', victims: (ask) => lives.victims({ ...ask, release: 300 }) };
    };
    const births = [1, 2, 3, 4, 5, 6].map((id) => birth(id));
    const steps = [...births, reclaim(1, 200, [1, 2, 3, 4], [1, 2]), reclaim(2, 100, [3, 4], [3])];
    // At the second reclaim it holds no more than the recorded run will hold after it.
    expect(replay({ policy: 'fifo', steps }, bulk).evictions).toEqual([
      { step: 1, page: 1 },
      { step: 1, page: 2 },
      { step: 1, page: 3 },
    ]);
  });
});
