/** Random lives of a policy, as the pager would lead them. */
import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import fc from 'fast-check';
import type { PagingPolicy, VictimQuery } from '../../src/policy/policy.js';

type Op =
  | {
      readonly kind: 'birth';
      readonly view: Omit<PageView, 'id' | 'supersedes'>;
      readonly outdates: readonly number[];
    }
  | { readonly kind: 'need'; readonly back: number }
  | { readonly kind: 'stub'; readonly back: number }
  | { readonly kind: 'cycle' | 'turn-end' }
  | {
      readonly kind: 'reclaim';
      readonly release: Tokens;
      readonly kept: readonly number[];
      readonly focus: readonly number[];
    };

export type History = readonly Op[];

const tokens = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(10));
const terms = fc
  .uniqueArray(fc.integer({ min: 0, max: 2 ** 24 - 1 }), { maxLength: 32 })
  .map((all) => all.toSorted((a, b) => a - b));
const someTerms = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 4 });

const view = fc.record(
  {
    kind: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
    tokens,
    firstSeq: fc.constant(1),
    lastSeq: fc.constantFrom(1, 2),
    facts: fc.integer({ min: 0, max: 10 }),
    terms: fc.oneof(someTerms, terms),
    failed: fc.boolean(),
  },
  { requiredKeys: ['kind', 'tokens', 'firstSeq', 'lastSeq'] },
);

const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('birth' as const),
      view,
      outdates: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('need' as const), back: fc.integer({ min: -1, max: 30 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('stub' as const), back: fc.integer({ min: 0, max: 10 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('cycle' as const, 'turn-end' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reclaim' as const),
      release: fc.integer({ min: 1, max: 1_500 }),
      kept: fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 4 }),
      focus: someTerms,
    }),
  },
);

export const history: fc.Arbitrary<History> = fc.array(op, { maxLength: 80 });

/** What was asked at a reclaim, and what the policy said. */
export interface Asked {
  readonly query: VictimQuery;
  readonly eligible: ReadonlyMap<PageId, Tokens>;
  readonly victims: readonly PageId[];
}

/** Leads one life, op by op. */
export class Life {
  readonly asked: Asked[] = [];
  readonly policy: PagingPolicy;
  readonly #resident = new Map<PageId, Tokens>();
  #last = 0;
  #step = 0;

  constructor(policy: PagingPolicy, before?: Life) {
    this.policy = policy;
    policy.configure({ capacity: 2_000, unit: 'tokens' });
    if (!before) return;
    this.#resident = new Map(before.#resident);
    [this.#last, this.#step] = [before.#last, before.#step];
  }

  play(ops: History): this {
    for (const one of ops) this.#take(one);
    return this;
  }

  #take(one: Op): void {
    switch (one.kind) {
      case 'birth':
        return this.#birth(one);
      case 'need':
        return this.policy.onNeed([{ id: this.#last - one.back, why: 'page-in' }], this.#step);
      case 'stub':
        return this.#stub(this.#last - one.back);
      case 'cycle':
        this.#step++;
        return undefined;
      case 'turn-end':
        return this.policy.onBoundary?.('turn-end');
      case 'reclaim':
        return this.#reclaim(one);
    }
  }

  #birth({ view: told, outdates }: Extract<Op, { kind: 'birth' }>): void {
    const id = (this.#last += 1);
    const supersedes = outdates.map((back) => id - back).filter((older) => this.#resident.has(older));
    this.#resident.set(id, told.tokens);
    this.policy.onBirth({ id, ...told, ...(supersedes.length > 0 && { supersedes }) });
  }

  #stub(id: PageId): void {
    if (!this.#resident.has(id)) return;
    this.#resident.set(id, 1);
    this.policy.onResidency(id, 'stub', 'reclaim');
  }

  #reclaim({ release, kept, focus }: Extract<Op, { kind: 'reclaim' }>): void {
    const eligible = new Map([...this.#resident].filter(([id]) => !kept.includes(this.#last - id)));
    const isEligible = (id: PageId) => eligible.has(id);
    const tokensOf = (id: PageId) => eligible.get(id) ?? 0;
    const query = { release, isEligible, tokensOf, focus, step: this.#step };
    const victims = [...this.policy.victims(query)];
    this.asked.push({ query, eligible, victims });
    for (const id of victims) {
      this.#resident.delete(id);
      this.policy.onResidency(id, 'evicted', 'reclaim');
    }
    this.policy.onBoundary?.('flush');
  }
}
