/** Random lives for the whole kernel: what is said, what the model does about it, and what goes wrong on the way. */
import fc from 'fast-check';
import type { DialectName } from '../../src/core/dialect/registry.js';
import type { LayoutName } from '../../src/core/layout/registry.js';
import { POLICIES, type PolicyName } from '../../src/policy/registry.js';

const DEEDS = [
  'tell',
  'tell',
  'say',
  'read',
  'read',
  'read twice',
  'append',
  'store',
  'search',
  'page in',
  'pin',
  'nonsense',
  'nothing',
  'refuse',
  'be cut',
  'be too long',
  'be down',
  'break off',
] as const;

/** What the model does with one request. */
export interface Deed {
  readonly deed: (typeof DEEDS)[number];
  readonly size: number;
}

export type LifeStep =
  | { readonly do: 'send' | 'feed' | 'edit' | 'archive'; readonly size: number }
  | { readonly do: 'pin' | 'unpin'; readonly back: number }
  /** The kernel is closed; another one opens the process, in another window. */
  | { readonly do: 'swap'; readonly window: number };

export interface Life {
  readonly dialect: DialectName;
  readonly layout: LayoutName;
  readonly policy: PolicyName;
  readonly window: number;
  readonly deeds: readonly Deed[];
  readonly filler: string;
  readonly steps: readonly LifeStep[];
}

const size = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 3, arbitrary: fc.integer({ min: 400, max: 3_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 3_000, max: 20_000 }) },
);

const step: fc.Arbitrary<LifeStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('send' as const), size }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('feed' as const, 'edit' as const, 'archive' as const), size }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('pin' as const, 'unpin' as const), back: fc.nat({ max: 6 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('swap' as const),
      window: fc.integer({ min: 2_000, max: 8_000 }),
    }),
  },
);

export const anyLife: fc.Arbitrary<Life> = fc.record({
  dialect: fc.constantFrom<DialectName[]>('memgpt', 'native'),
  layout: fc.constantFrom<LayoutName[]>('stable', 'classic', 'user-last'),
  policy: fc.constantFrom(...(Object.keys(POLICIES) as PolicyName[])),
  window: fc.integer({ min: 2_600, max: 5_000 }),
  deeds: fc.array(fc.record({ deed: fc.constantFrom(...DEEDS), size }), { minLength: 1, maxLength: 12 }),
  filler: fc.constantFrom('wool ', 'ü 漢 ', '😀', '7, ', '\n"\\', '<|x|> '),
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
});
