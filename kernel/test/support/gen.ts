/** Random histories: what users say, what processors answer, what tools give, what goes wrong. */
import type { CallPart, FinishReason, Reply } from '@pagefault/contracts';
import fc from 'fast-check';
import type { DialectName } from '../../src/core/dialect/registry.js';
import type { LayoutName } from '../../src/core/layout/registry.js';
import type { Answer, HarnessOptions } from './harness.js';

export type Step =
  | { readonly kind: 'send' | 'feed' | 'edit'; readonly text: string }
  | {
      readonly kind: 'crash';
      readonly text: string;
      readonly before: 'commit' | 'infer' | 'call' | 'summarise' | 'count';
    }
  | { readonly kind: 'swap'; readonly window: number; readonly model: string; readonly layout: LayoutName }
  | { readonly kind: 'cancel'; readonly text: string }
  | { readonly kind: 'idle' }
  /** From outside: `back` counts resident pages from the newest. */
  | { readonly kind: 'pin' | 'unpin'; readonly back: number };

const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 3, arbitrary: fc.integer({ min: 400, max: 4_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4_000, max: 20_000 }) },
);

/** Wild sizes, wild characters; never blank, as the shell sees to it. */
export const wildText: fc.Arbitrary<string> = fc
  .tuple(
    size,
    fc.string({
      unit: fc.constantFrom('a', 'b ', 'ü', '漢', '😀', '7', '\n', '"', '\\', '<|x|>'),
      minLength: 1,
      maxLength: 24,
    }),
  )
  .map(
    ([length, unit]) =>
      `x${unit
        .repeat(Math.ceil(length / unit.length))
        .slice(0, length)
        .toWellFormed()}`,
  );

const NAMES = [
  'read',
  'send_message',
  'core_memory_append',
  'core_memory_replace',
  'page_in',
  'pin',
  'unpin',
  'nonsense',
];

type CallShape = { readonly name: string; readonly text: string; readonly heartbeat: boolean };

const callShape: fc.Arbitrary<CallShape> = fc.record({
  name: fc.constantFrom(...NAMES),
  text: wildText.map((text) => text.slice(0, 3_000).toWellFormed()),
  heartbeat: fc.boolean(),
});

export interface ReplyShape {
  readonly text: string;
  readonly calls: readonly CallShape[];
  readonly broken: number;
  readonly reason: FinishReason;
  readonly usage: number;
  readonly failure:
    | 'none'
    | 'E_CONTEXT_OVERFLOW'
    | 'E_OVERLOADED'
    | 'E_ABORTED'
    | 'E_REFUSED'
    | 'E_LEASE_LOST'
    | 'E_PROTOCOL';
}

export const replyShape: fc.Arbitrary<ReplyShape> = fc.record({
  text: fc.oneof(fc.constant(''), fc.constant(' \n'), wildText),
  calls: fc.array(callShape, { maxLength: 3 }),
  broken: fc.constantFrom(0, 0, 0, 1, 2),
  reason: fc.constantFrom<FinishReason[]>('stop', 'stop', 'calls', 'calls', 'length', 'refused'),
  usage: fc.constantFrom(0, 0, 1, 300, 5_000, 100_000),
  failure: fc.constantFrom(
    'none',
    'none',
    'none',
    'none',
    'none',
    'none',
    'E_CONTEXT_OVERFLOW',
    'E_OVERLOADED',
    'E_ABORTED',
    'E_REFUSED',
    'E_LEASE_LOST',
    'E_PROTOCOL',
  ),
});

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('send' as const), text: wildText }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('feed' as const), text: wildText }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), text: wildText }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('crash' as const),
        text: wildText,
        before: fc.constantFrom(
          'commit' as const,
          'infer' as const,
          'call' as const,
          'summarise' as const,
          'count' as const,
        ),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), text: wildText }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('idle' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('pin' as const, 'pin' as const, 'unpin' as const),
        back: fc.nat({ max: 8 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('swap' as const),
        window: fc.integer({ min: 300, max: 20_000 }),
        model: fc.constantFrom('m', 'n', 'o'),
        layout: fc.constantFrom<LayoutName[]>('stable', 'stable', 'classic'),
      }),
    },
  ),
  { minLength: 3, maxLength: 24 },
);

export interface World {
  readonly dialect: DialectName;
  readonly window: number;
  readonly replies: readonly ReplyShape[];
  readonly results: readonly string[];
  readonly steps: readonly Step[];
}

export const world: fc.Arbitrary<World> = fc.record({
  dialect: fc.constantFrom<DialectName[]>('memgpt', 'native'),
  window: fc.oneof(fc.integer({ min: 260, max: 1_500 }), fc.integer({ min: 1_500, max: 16_000 })),
  replies: fc.array(replyShape, { minLength: 1, maxLength: 12 }),
  results: fc.array(fc.oneof(wildText, fc.constant('')), { minLength: 1, maxLength: 6 }),
  steps,
});

/** Short messages are pinned now and then, as soon as they are answered. */
export function pinningMore(random: World): World {
  const pins = ({ kind, ...step }: Step): Step[] =>
    kind === 'send' && 'text' in step && step.text.length < 800
      ? [{ kind: 'pin', back: step.text.length % 3 }]
      : [];
  return { ...random, steps: random.steps.flatMap((step) => [step, ...pins(step)]) };
}

/** The same world gives the same answers: call ids are numbered within it. */
export function optionsOf({ dialect, window, replies, results }: World): HarnessOptions {
  let calls = 0;
  let asked = 0;
  let ran = 0;
  const mint = (): string => `call_${(calls += 1)}`;
  return {
    dialect,
    window,
    maxOutput: 200,
    blocks: [
      { name: 'human', value: '', limit: 300, version: 1, readOnly: false },
      { name: 'persona', value: 'I am.', limit: 100, version: 1, readOnly: true },
    ],
    limits: { maxCycles: 6 },
    reply: () => answerOf(replies[asked++ % replies.length], mint),
    tool: ({ name }) => {
      const text = results[ran++ % results.length] ?? '';
      return name === 'page_in'
        ? { text, recalled: [{ handle: 'm1', from: 0, to: 1 }], needs: [{ page: 1, why: 'page-in' }] }
        : { text, isError: name === 'nonsense' };
    },
    summarise: ({ previous, messages }) =>
      `${previous} ${messages.length} more`.repeat(1 + (messages.length % 30)),
  };
}

function answerOf(shape: ReplyShape | undefined, mint: () => string): Answer {
  if (!shape) throw new Error('a world has replies');
  if (shape.failure !== 'none')
    return { failure: { code: shape.failure, message: 'made to fail' }, partial: shape.text };
  const { text, reason, usage } = shape;
  const made = shape.calls.map((one) => callOf(one, mint()));
  const broken = made
    .slice(0, shape.broken)
    .map((call) => ({ call: { ...call, arguments: '{}' }, problem: 'cut off' }));
  const reply: Reply = {
    parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...made.slice(shape.broken)],
    reason,
    usage: { plain: usage, cached: 0, written: 0, output: usage === 0 ? 0 : 10 },
  };
  return broken.length === 0 ? reply : { ...reply, brokenCalls: broken };
}

function callOf({ name, text, heartbeat }: CallShape, callId: string): CallPart {
  const args = {
    name: 'human',
    content: text.slice(0, 200).toWellFormed(),
    message: text,
    old_content: text.slice(0, 3).toWellFormed(),
    new_content: '',
    handle: `m${1 + (text.length % 30)}`,
    request_heartbeat: heartbeat,
  };
  return { type: 'call', callId, name, arguments: JSON.stringify(args) };
}
