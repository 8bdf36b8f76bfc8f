/** Random lives on changing providers: what is said, what the models do, and what goes wrong. */
import type { Fault } from '@pagefault/doubles';
import fc from 'fast-check';
import type { DialectName } from '../../src/core/dialect/registry.js';
import type { LayoutName } from '../../src/core/layout/registry.js';
import { PROVIDER_NAMES, type ProviderName, type Said } from './providers.js';

export type Step =
  | {
      readonly do: 'send';
      readonly text: string;
      readonly name?: string | undefined;
      readonly stopAt?: number | undefined;
    }
  | { readonly do: 'feed'; readonly text: string; readonly role: 'user' | 'assistant' | 'system' }
  /** The kernel is closed, or dies in the middle of a call, and another one goes on with another provider. */
  | { readonly do: 'swap'; readonly to: ProviderName; readonly dying: boolean };

export interface Life {
  readonly dialect: DialectName;
  readonly layout: LayoutName;
  readonly first: ProviderName;
  /** Whether the model itself writes summaries. */
  readonly summarises: boolean;
  readonly says: readonly Said[];
  readonly steps: readonly Step[];
}

const word = fc.oneof(
  fc.constantFrom('alpaca', '羊驼', '🦙🦙', '<|endoftext|>', '\u0000', '\ud800', ' ', '\n', '0123456789'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const text = fc
  .tuple(fc.array(word, { maxLength: 4 }), fc.constantFrom(1, 1, 3, 10, 60))
  .map(([words, times]) => words.join(' ').repeat(times).slice(0, 2_000));

const args = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record({ ...fields, request_heartbeat: fc.boolean() }, { requiredKeys: [] })
    .map((value) => JSON.stringify(value));

/** As servers give them: of one name in every turn, empty, with characters that others refuse, far too long. */
const id = fc.option(fc.constantFrom('call_0', 'call_0', '', 'functions.look:0', 'x'.repeat(80), 'é|fc_😀'), {
  nil: undefined,
  freq: 2,
});
const named = (name: string, written: fc.Arbitrary<string>) =>
  fc
    .record({ name: fc.constant(name), arguments: written, id })
    .map(({ id: given, ...call }) => ({ ...call, ...(given === undefined ? {} : { id: given }) }));
const call = fc.oneof(
  { weight: 3, arbitrary: named('send_message', args({ message: text })) },
  { weight: 3, arbitrary: named('look', args({ size: fc.constantFrom(0, 0, 5, 60, 2_000) })) },
  { weight: 1, arbitrary: named('core_memory_append', args({ name: fc.constant('human'), content: text })) },
  { weight: 1, arbitrary: named('conversation_search', args({ query: text })) },
  {
    weight: 2,
    arbitrary: named('page_in', args({ handle: fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm99') })),
  },
  { weight: 1, arbitrary: named('look', fc.constantFrom('', '{"size":', '[]', '{"n":2512292042121000001}')) },
  { weight: 1, arbitrary: named('a b!', fc.string({ maxLength: 8 })) },
);

const fault = fc.oneof(
  fc.record({ kind: fc.constantFrom('destroy', 'error-event', 'end', 'garbage'), after: fc.nat({ max: 6 }) }),
  fc.record({ kind: fc.constant('status'), status: fc.constantFrom(400, 429, 500) }),
) as fc.Arbitrary<Fault>;

const calls = fc.array(call, { minLength: 1, maxLength: 3 });
const usual = fc.record({ text, thinking: text, calls }, { requiredKeys: ['calls'] });
const odd = fc.record(
  {
    text,
    thinking: text,
    calls: fc.array(call, { maxLength: 2 }),
    end: fc.constantFrom('stop' as const, 'length' as const, 'refused' as const, 'never' as const),
    fault,
  },
  { requiredKeys: [] },
);
const said: fc.Arbitrary<Said> = fc.oneof(
  { weight: 3, arbitrary: usual as fc.Arbitrary<Said> },
  { weight: 1, arbitrary: odd as fc.Arbitrary<Said> },
);

const spoken = text.map((value) => `Say: ${value}`);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      text: spoken,
      name: fc.constantFrom(undefined, undefined, 'ada', 'Ada L.', '羊驼'),
      stopAt: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 0, 1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('feed' as const),
      text: spoken,
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('swap' as const),
      to: fc.constantFrom(...PROVIDER_NAMES),
      dying: fc.boolean(),
    }),
  },
);

export const anyLife: fc.Arbitrary<Life> = fc.record({
  dialect: fc.constantFrom<DialectName[]>('memgpt', 'native'),
  layout: fc.constantFrom<LayoutName[]>('stable', 'classic', 'user-last'),
  first: fc.constantFrom(...PROVIDER_NAMES),
  summarises: fc.boolean(),
  says: fc.array(said, { minLength: 1, maxLength: 10 }),
  steps: fc.array(step, { minLength: 2, maxLength: 12 }),
});
