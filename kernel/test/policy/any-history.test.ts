/** What every policy that ships keeps, whatever happens to it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PagingPolicy } from '../../src/policy/policy.js';
import { POLICIES } from '../../src/policy/registry.js';
import { history, Life } from './history.js';
import { born, give, need, take } from './pages.js';

const ROOM = 1_000_000;
/** They name more than is asked for, on purpose. */
const TAKE_MORE = new Set(['batch-prefix', 'compaction', 'need-density']);
const decoder = new TextDecoder();
/** Snapshots as text: byte by byte it takes long to compare them. */
const knowledge = (policy: PagingPolicy) => decoder.decode(policy.snapshot(ROOM));
const ALL = Object.entries(POLICIES).map(([name, make]) => ({ name, make: (): PagingPolicy => make() }));

describe.each(ALL)('$name, on any history,', ({ name, make }) => {
  it('goes by its name', () => {
    expect(make().id).toBe(name);
  });

  it('names pages that may go, each once, and enough of them', () => {
    fc.assert(
      fc.property(history, (ops) => {
        for (const { query, eligible, victims } of new Life(make()).play(ops).asked) {
          expect(new Set(victims).size).toBe(victims.length);
          for (const id of victims) expect(eligible.has(id)).toBe(true);
          const sizes = victims.map((id) => eligible.get(id) ?? 0);
          const released = sizes.reduce((sum, tokens) => sum + tokens, 0);
          expect(released >= query.release || victims.length === eligible.size).toBe(true);
          if (!TAKE_MORE.has(name)) expect(released - (sizes.at(-1) ?? 0)).toBeLessThan(query.release);
        }
      }),
    );
  });

  it('says the same each time, and is not changed by being asked', () => {
    fc.assert(
      fc.property(history, history, (before, after) => {
        const life = new Life(make()).play(before);
        const known = knowledge(life.policy);
        const query = { release: 100, isEligible: () => true, step: 3 };
        expect(life.policy.victims(query)).toEqual(life.policy.victims(query));
        expect(knowledge(life.policy)).toBe(known);
        const again = new Life(make()).play(before);
        const victims = [life, again].map((one) => one.play(after).asked.map((asked) => asked.victims));
        expect(victims[0]).toEqual(victims[1]);
      }),
    );
  });

  it('goes on from its snapshot as if nothing had happened', () => {
    fc.assert(
      fc.property(history, history, (before, after) => {
        const life = new Life(make()).play(before);
        const restored = make();
        const resumed = new Life(restored, life);
        expect(restored.restore(life.policy.snapshot(ROOM), restored.version)).toBe(true);
        expect(knowledge(restored)).toBe(knowledge(life.policy));
        const asked = life.asked.length;
        life.play(after);
        resumed.play(after);
        expect(resumed.asked.map(({ victims }) => victims)).toEqual(
          life.asked.slice(asked).map(({ victims }) => victims),
        );
        expect(knowledge(restored)).toBe(knowledge(life.policy));
      }),
    );
  });

  it('shares nothing between two processes', () => {
    fc.assert(
      fc.property(history, history, (ops, others) => {
        const [one, other] = [new Life(make()), new Life(make())];
        for (let at = 0; at < Math.max(ops.length, others.length); at++) {
          one.play(ops.slice(at, at + 1));
          other.play(others.slice(at, at + 1));
        }
        const alone = new Life(make()).play(ops);
        expect(one.asked.map(({ victims }) => victims)).toEqual(alone.asked.map(({ victims }) => victims));
      }),
    );
  });
});

/** Bytes of what is known when no page is left, with a memory of forty pages: ghosts, and the counters of a sketch. */
const GHOSTS: Record<string, number> = {
  arc: 1_000,
  '2q': 400,
  's3-fifo': 600,
  lirs: 1_000,
  'w-tinylfu': 6_000,
  // A thousand evicted pages, by number.
  'need-density': 20_000,
};

const utf8 = (text: string) => new TextEncoder().encode(text);

describe.each(ALL)('$name', ({ name, make }) => {
  const lived = () => {
    const policy = make();
    give(policy, 1, 2, born(3, { facts: 2, terms: [1, 70_000, 2 ** 24 - 1] }), 4);
    take(policy, 10);
    return policy;
  };

  it('says no to a snapshot of another version, and stays as it was', () => {
    const policy = lived();
    const known = policy.snapshot(ROOM);
    expect(policy.restore(known, policy.version + 1)).toBe(false);
    expect(policy.restore(known, policy.version - 1)).toBe(false);
    expect(policy.snapshot(ROOM)).toEqual(known);
  });

  it('says no to another policy’s snapshot', () => {
    // The two oldest write the same rows without a name; snapshots are kept by name.
    const alike = new Set(['fifo', 'lru']);
    for (const other of ALL) {
      if (other.name === name || (alike.has(name) && alike.has(other.name))) continue;
      const foreign = other.make();
      give(foreign, 1, 2, 3);
      expect(make().restore(foreign.snapshot(ROOM), 1), other.name).toBe(false);
    }
  });

  it('says no to broken bytes, wherever they break, or goes on soundly', () => {
    const known = lived().snapshot(ROOM);
    const step = Math.ceil(known.length / 200);
    for (let cut = 0; cut < known.length; cut += step) {
      const policy = lived();
      expect(policy.restore(known.slice(0, cut), 1)).toBe(false);
      expect(knowledge(policy)).toBe(decoder.decode(known));
    }
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.json().map(utf8),
      fc
        .record({ policy: fc.constant(name), knows: fc.jsonValue() })
        .map((value) => utf8(JSON.stringify(value))),
      fc
        .tuple(fc.nat({ max: known.length - 1 }), fc.nat({ max: 255 }))
        .map(([at, value]) => known.map((byte, index) => (index === at ? value : byte))),
    );
    fc.assert(
      fc.property(broken, history, (bytes, ops) => {
        const policy = make();
        const isTaken = policy.restore(bytes, 1);
        // A changed digit may be a snapshot too. It names what it knows; the pager asks of what is there.
        if (isTaken) expect(() => new Life(policy).play(ops)).not.toThrow();
        else expect(knowledge(policy)).toBe(knowledge(make()));
      }),
      { numRuns: 300 },
    );
  });

  it('knows a page once that is born twice, as after a snapshot that was not its own', () => {
    const policy = make();
    policy.configure({ capacity: 1_000, unit: 'tokens' });
    give(policy, 1, 2, 3, 2, 3, 4);
    need(policy, 2);
    const victims = take(policy, 10_000);
    expect(victims.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    expect(take(policy, 10_000)).toEqual([]);
  });

  it('gives no snapshot that is larger than its room', () => {
    expect(lived().snapshot(4)).toHaveLength(0);
  });

  it('knows no more after a long life than of its residents, and of a bounded number of ghosts', () => {
    const policy = make();
    policy.configure({ capacity: 400, unit: 'tokens' });
    for (let id = 1; id <= 3_000; id++) {
      give(policy, born(id, { terms: [id], facts: 1 }));
      if (id % 20 === 0) take(policy, 100, { step: id });
    }
    while (take(policy, 100, { step: 3_000 }).length > 0);
    expect(policy.snapshot(ROOM).length).toBeLessThan(GHOSTS[name] ?? 200);
  });
});

describe('arc', () => {
  it('gives up its oldest ghosts, not all it knows, when its snapshot has little room', () => {
    const policy = POLICIES.arc();
    policy.configure({ capacity: 40_000, unit: 'tokens' });
    for (let id = 1; id <= 2_000; id++) give(policy, id);
    take(policy, 19_950);
    const [whole, small] = [policy.snapshot(ROOM), policy.snapshot(2_000)];
    expect(whole.length).toBeGreaterThan(10_000);
    expect(small.length).toBeGreaterThan(500);
    const restored = POLICIES.arc();
    restored.configure({ capacity: 40_000, unit: 'tokens' });
    expect(restored.restore(small, 1)).toBe(true);
    const ask = { release: 100, isEligible: () => true, step: 0 };
    expect(restored.victims(ask)).toEqual(policy.victims(ask));
    // What was rebuilt from a snapshot is written as that snapshot.
    expect(restored.snapshot(2_000)).toEqual(small);
  });
});
