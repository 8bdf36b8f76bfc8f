/** Miss counts that independent programs agree on, in three tiers, and figures that were published. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  intern,
  LITERATURE,
  type LiteratureName,
  readClassic,
  type Requests,
  simulateDemand,
  simulateMin,
} from '../../src/index.js';
import { traceFile, TRACES } from '../support/traces.js';

interface Case {
  readonly trace: string;
  readonly policy: string;
  readonly size: number;
  readonly requests: number;
  readonly misses: number;
  readonly missBytes?: number;
  /** A: to the request. B: within a tenth of a percentage point. C: what the authors' program prints. */
  readonly tier: 'A' | 'B' | 'C';
}

const POLICY: Record<string, LiteratureName> = {
  FIFO: 'fifo',
  LRU: 'lru',
  MRU: 'mru',
  CLOCK: 'clock',
  SIEVE: 'sieve',
  LFU: 'lfu',
  '2Q': '2q',
  'S3-FIFO': 's3-fifo',
  ARC: 'arc',
  LIRS: 'lirs',
};

const file = join(TRACES, 'oracle_values.json');
const cases = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }).cases : [];
const traces = [...new Set(cases.map(({ trace }) => trace))];

function fileOf(trace: string): string {
  if (trace.startsWith('lirs/')) return `classic/${trace}.trace.gz`;
  return trace.startsWith('arc/') ? `classic/${trace}.lis.zst` : `classic/${trace}`;
}

async function requestsOf(trace: string, skip: (why: string) => never): Promise<Requests> {
  const [, inline] = trace.split(': ');
  return inline ? intern(inline.split(' ')) : readClassic(traceFile(fileOf(trace), skip));
}

function run({ policy, size }: Case, requests: Requests) {
  if (policy.startsWith('MIN')) return simulateMin(requests, size, { bypass: policy === 'MIN_bypass' });
  const name = POLICY[policy];
  if (!name) throw new Error(`no policy goes by ${policy}`);
  return simulateDemand(LITERATURE[name](), requests, size);
}

function isWithin({ tier, requests, misses, missBytes }: Case, got: { misses: number; missBytes: number }) {
  if (tier === 'B') return Math.abs(got.misses - misses) <= requests / 1_000;
  return got.misses === misses && (missBytes ?? got.missBytes) === got.missBytes;
}

describe('every value of the oracle', () => {
  it('is there to compare with', ({ skip }) => {
    traceFile('oracle_values.json', skip);
    expect(cases).toHaveLength(557);
    for (const { policy } of cases) expect(policy.startsWith('MIN') || policy in POLICY, policy).toBe(true);
  });

  it.for(traces)('is met on %s', { timeout: 300_000 }, async (trace, { skip }) => {
    const requests = await requestsOf(trace, skip);
    const wrong = cases
      .filter((one) => one.trace === trace)
      .flatMap((one) => {
        const got = run(one, requests);
        return isWithin(one, got) ? [] : [{ ...one, got }];
      });
    expect(wrong).toEqual([]);
  });
});

describe('figures that were published', () => {
  /** Hit ratios in percent of the ARC paper (Megiddo and Modha 2003, table 1) at these sizes. */
  const SIZES = [1_000, 2_000, 5_000, 10_000, 15_000];
  const OLTP = {
    lru: [32.83, 42.47, 53.65, 60.7, 64.63],
    arc: [38.93, 46.08, 55.25, 61.87, 65.4],
    min: [53.61, 60.4, 68.27, 73.02, 75.13],
  };

  it('of ARC’s paper on OLTP, within .02 percentage points', { timeout: 120_000 }, async ({ skip }) => {
    const requests = await readClassic(traceFile('classic/arc/OLTP.lis.zst', skip));
    const ratio = (misses: number) => 100 * (1 - misses / requests.pages.length);
    for (const [n, size] of SIZES.entries()) {
      const off = (published: readonly number[], misses: number) =>
        Math.abs((published[n] ?? 0) - ratio(misses));
      expect(off(OLTP.lru, simulateDemand(LITERATURE.lru(), requests, size).misses)).toBeLessThan(0.0201);
      expect(off(OLTP.arc, simulateDemand(LITERATURE.arc(), requests, size).misses)).toBeLessThan(0.0201);
      expect(off(OLTP.min, simulateMin(requests, size).misses)).toBeLessThan(0.0201);
    }
  });

  it('of Caffeine’s test of MIN with bypass: 1,095 misses and 1,087 evictions', () => {
    const requests = intern(javaRandom(42, 50, 2_000));
    expect(simulateMin(requests, 8, { bypass: true })).toMatchObject({ misses: 1_095 });
    expect(simulateMin(requests, 8).misses).toBe(1_129);
  });
});

/** `new java.util.Random(seed).nextInt(bound)`, as its documentation gives it; for bounds that are no powers of two. */
function javaRandom(seed: number, bound: number, count: number): number[] {
  const mask = (1n << 48n) - 1n;
  let state = (BigInt(seed) ^ 0x5deece66dn) & mask;
  const next = () => {
    state = (state * 0x5deece66dn + 0xbn) & mask;
    return Number(state >> 17n);
  };
  return Array.from({ length: count }, () => {
    for (;;) {
      const bits = next();
      const value = bits % bound;
      if (bits - value + (bound - 1) < 2 ** 31) return value;
    }
  });
}
