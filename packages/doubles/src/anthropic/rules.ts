/** What the service knows of a model. */
export interface ModelRules {
  /** Tokens of input and output. */
  readonly window: number;
  /** The most that `max_tokens` may be. */
  readonly maxOutput: number;
  /** How a request may ask for thinking: with a budget, adaptively, or either way. */
  readonly thinking: 'budget' | 'adaptive' | 'both';
  /** It thinks without being asked, and cannot be told not to. */
  readonly alwaysThinks: boolean;
  /** Its thinking blocks are good only behind the very prefix that they were made from. */
  readonly bindsThinking: boolean;
  /** A conversation may end with the beginning of the answer. */
  readonly prefill: boolean;
  /** Shorter prefixes are not cached. */
  readonly cacheMinimum: number;
}

/** Claude Sonnet 4.5's. */
export const DEFAULT_RULES: ModelRules = {
  window: 200_000,
  maxOutput: 64_000,
  thinking: 'both',
  alwaysThinks: false,
  bindsThinking: false,
  prefill: true,
  cacheMinimum: 1_024,
};
