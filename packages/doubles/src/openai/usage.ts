import type { PromptToken } from './prompt.js';

/** As the service reports it; the cached tokens are part of the prompt tokens. */
export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

export interface CacheOptions {
  /** Shorter prefixes are not cached. Default 1,024 tokens, as the service has it. */
  readonly minimum?: number;
  /** From the minimum on, whole steps are. Default 128 tokens. */
  readonly step?: number;
  /** Prompts that are remembered, over all keys. Default 64. */
  readonly prompts?: number;
}

export interface CachedPrompt {
  /** Prompts of one key share a cache. */
  readonly apiKey: string;
  readonly model: string;
  readonly cacheKey: string;
  readonly tokens: readonly PromptToken[];
}

export interface PrefixCache {
  /**
   * Tokens of the prompt that an earlier one under the same key, for the same model, had in front too; remembers the
   * prompt.
   */
  take(prompt: CachedPrompt): number;
}

/** A prompt cache that finds what two prompts really share, token by token: tools first, then the messages. */
export function createPrefixCache({
  minimum = 1_024,
  step = 128,
  prompts = 64,
}: CacheOptions = {}): PrefixCache {
  const seen: { readonly key: string; readonly tokens: readonly PromptToken[] }[] = [];
  return {
    take({ apiKey, model, cacheKey, tokens }) {
      const key = JSON.stringify([apiKey, model, cacheKey]);
      const own = seen.filter((earlier) => earlier.key === key);
      const longest = Math.max(0, ...own.map((earlier) => sharedPrefix(earlier.tokens, tokens)));
      seen.push({ key, tokens });
      if (seen.length > prompts) seen.shift();
      return longest < minimum ? 0 : longest - ((longest - minimum) % step);
    },
  };
}

function sharedPrefix(a: readonly PromptToken[], b: readonly PromptToken[]): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}
