import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lru, type PagingPolicy } from '@pagefault/kernel';
import { describe, expect, it } from 'vitest';
import { externalPolicy } from '../src/index.js';

const folder = fileURLToPath(new URL('../../../examples/policy-in-python', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Births, needs and reclaims of a made-up life, and what left. */
function lived(policy: PagingPolicy, seed: number): number[] {
  let state = seed;
  const draw = (below: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const residents = new Map<number, number>();
  const left: number[] = [];
  policy.configure({ capacity: 1_000, unit: 'tokens' });
  for (let id = 1; id <= 300; id++) {
    const tokens = 1 + draw(90);
    policy.onBirth({ id, kind: 'user', tokens, firstSeq: id, lastSeq: id });
    residents.set(id, tokens);
    policy.onNeed([{ id: 1 + draw(id), why: 'page-in' }], id);
    if (draw(10) > 0) continue;
    const barred = draw(id);
    const ask = { release: 1 + draw(400), isEligible: (page: number) => page !== barred, step: id };
    for (const page of policy.victims(ask)) {
      policy.onResidency(page, 'evicted', 'reclaim');
      residents.delete(page);
      left.push(page);
    }
  }
  return left;
}

describe('the policy in Python', () => {
  it('evicts as LRU does, with two queues at once', async ({ skip }) => {
    if (!hasPython) skip('there is no python3 on this machine');
    const make = externalPolicy('exec:python3 least_recently_needed.py', { cwd: folder });
    try {
      const [one, two] = [make(), make()];
      expect(one.id).toBe('least-recently-needed');
      for (const [policy, seed] of [
        [one, 7],
        [two, 8],
      ] as const) {
        const left = lived(policy, seed);
        expect(left.length).toBeGreaterThan(50);
        expect(left).toEqual(lived(lru(), seed));
      }
    } finally {
      await make.close();
    }
  });
});
