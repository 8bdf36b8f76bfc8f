import { findModel, type SizeLimits } from '@pagefault/driver-kit';

export interface ModelFacts extends SizeLimits {
  readonly images: boolean;
  /** How it can be asked to think: with a budget of tokens, as it sees fit, or either way. */
  readonly thinking: 'budget' | 'adaptive' | 'either';
  /** It thinks without being asked. */
  readonly thinksByDefault: boolean;
  /**
   * Its thinking may only be sent back behind the very messages it was made from ("preserved thinking"). In paged memory
   * those change with every request, so the thinking of such a model is left out.
   */
  readonly bindsThinking: boolean;
  /** The most tokens that it makes of text that is one token of `o200k_base`: see `count.ts`. */
  readonly tokenFactor: number;
  /** Tokens of what the service adds to explain the use of tools. */
  readonly toolPrompt: number;
}

/**
 * Claude 3 to 4.6 give up to about 1.35 tokens for one of `o200k_base` (code and mathematics; prose 1.2); the tokenizer
 * since 4.7 up to 1.35 times that, as its provider says.
 */
const OLD_TOKENIZER = { tokenFactor: 1.35, toolPrompt: 350 };
const NEW_TOKENIZER = { tokenFactor: 1.85, toolPrompt: 700 };

const FOUR: ModelFacts = {
  window: 200_000,
  maxOutput: 64_000,
  images: true,
  thinking: 'budget',
  thinksByDefault: false,
  bindsThinking: false,
  ...OLD_TOKENIZER,
};
const FOUR_SIX: ModelFacts = { ...FOUR, window: 1_000_000, thinking: 'either' };
const FOUR_SEVEN: ModelFacts = {
  ...FOUR_SIX,
  maxOutput: 128_000,
  thinking: 'adaptive',
  ...NEW_TOKENIZER,
};
const FIVE: ModelFacts = { ...FOUR_SEVEN, thinksByDefault: true };
const FIVE_FIVE: ModelFacts = { ...FIVE, bindsThinking: true };

/**
 * Models as their provider's pages and the SDK 1.14 describe them (November 2026). A model is found by the longest name
 * that it begins with, so dated snapshots need no line. Options go before this table: it is a convenience.
 */
export const MODELS: Readonly<Record<string, ModelFacts>> = {
  'claude-opus-4': { ...FOUR, maxOutput: 32_000 },
  'claude-sonnet-4': FOUR,
  'claude-opus-4-5': FOUR,
  'claude-sonnet-4-5': FOUR,
  'claude-haiku-4-5': FOUR,
  'claude-opus-4-6': { ...FOUR_SIX, maxOutput: 128_000 },
  'claude-sonnet-4-6': FOUR_SIX,
  'claude-opus-4-7': FOUR_SEVEN,
  'claude-opus-4-8': FOUR_SEVEN,
  'claude-opus-5': FIVE,
  'claude-sonnet-5': FIVE,
  'claude-fable-5': FIVE,
  'claude-mythos-5': FIVE,
  'claude-opus-5-5': FIVE_FIVE,
  'claude-sonnet-5-5': FIVE_FIVE,
  'claude-haiku-5-5': FIVE_FIVE,
  'claude-fable-5-1': FIVE_FIVE,
  'claude-fable-5-2': FIVE_FIVE,
  'claude-mythos-5-1': FIVE_FIVE,
  'claude-mythos-5-2': FIVE_FIVE,
};

/** Of every property the one that costs least when it is wrong. */
export const UNKNOWN_MODEL: ModelFacts = {
  ...FIVE_FIVE,
  window: 200_000,
  maxOutput: 8_192,
  thinking: 'either',
};

/** What is known of a model by its name at Anthropic, Bedrock (`us.anthropic.claude-…`) or a gateway (`anthropic/claude-…`). */
export function factsOfModel(model: string): ModelFacts {
  const name = model.slice(Math.max(0, model.indexOf('claude-')));
  return findModel(MODELS, name) ?? UNKNOWN_MODEL;
}
