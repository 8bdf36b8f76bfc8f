/**
 * What a provider's prompt cache would have of each request. It keeps prefixes, of every request, for a while after their
 * last use: an edit makes all that follows it new, and what was sent before the edit is still there if it comes again.
 * Source: the providers' descriptions, and probes of a real one in Pichay (arXiv 2603.09023).
 */
import type { Tokens } from '@pagefault/contracts';
import type { Prompt } from '../paging/prompt.js';

/** A time without a request that a prefix outlives, and what is too short to be kept. */
export interface CacheRules {
  /** Milliseconds since the last use. Default 300,000: five minutes, the shortest that providers offer. */
  readonly timeToLive: number;
  /** A shorter prefix is not kept. Default 1,024 tokens, the least of the large providers. */
  readonly least: Tokens;
  /** Prefixes are kept in multiples of this. Default 1; 128 at OpenAI. */
  readonly granule: Tokens;
}

export const CACHE_RULES: CacheRules = { timeToLive: 300_000, least: 1_024, granule: 1 };

export interface CacheUse {
  readonly read: Tokens;
  readonly written: Tokens;
}

export class PromptCache {
  readonly #rules: CacheRules;
  /** Of the last request, up to each of its blocks. */
  readonly #hashes: number[] = [];
  readonly #sums: Tokens[] = [];
  readonly #others: LivePrefixes;
  #last = -Infinity;

  constructor(rules: CacheRules = CACHE_RULES) {
    this.#rules = rules;
    this.#others = new LivePrefixes(rules.timeToLive);
  }

  /** `now` in milliseconds; it does not go back. */
  request(prompt: Prompt, now: number): CacheUse {
    const isWarm = now - this.#last <= this.#rules.timeToLive;
    // Nothing was used later than the last request, so when that is cold everything is.
    if (!isWarm) this.#others.clear();
    this.#leave(prompt.unchanged, isWarm);
    const found = this.#extend(prompt, isWarm ? prompt.unchanged : 0, now);
    prompt.unchanged = prompt.ids.length;
    this.#last = now;
    const read = this.#kept(found);
    return { read, written: prompt.tokens - read };
  }

  /** The prefixes that the request does not begin with any more go on living with the others. */
  #leave(unchanged: number, isWarm: boolean): void {
    if (unchanged >= this.#hashes.length) return;
    for (let at = isWarm ? unchanged : Infinity; at < this.#hashes.length; at++)
      this.#others.add(this.#hashes[at] ?? 0, this.#last);
    this.#hashes.length = this.#sums.length = unchanged;
  }

  /** Takes the new blocks in; how many blocks from the beginning are known. */
  #extend(prompt: Prompt, known: number, now: number): number {
    let found = known;
    let [hash, tokens] = [this.#hashes.at(-1) ?? 0, this.#sums.at(-1) ?? 0];
    for (let at = this.#hashes.length; at < prompt.ids.length; at++) {
      hash = mix(hash, prompt.ids[at] ?? 0);
      tokens += prompt.sizes[at] ?? 0;
      this.#hashes.push(hash);
      this.#sums.push(tokens);
      if (found === at && this.#others.has(hash, now)) found = at + 1;
    }
    return found;
  }

  #kept(blocks: number): Tokens {
    const { least, granule } = this.#rules;
    const tokens = blocks > 0 ? (this.#sums[blocks - 1] ?? 0) : 0;
    return tokens < least ? 0 : tokens - (tokens % granule);
  }
}

/**
 * Prefixes of requests before the last, and when they were used last. Two generations, each as long as a prefix lives: when the
 * younger is that old, nothing of the older lives, and it goes at once.
 */
class LivePrefixes {
  readonly #timeToLive: number;
  #young = new Map<number, number>();
  #old = new Map<number, number>();
  /** Of the younger generation. */
  #begun = -Infinity;

  constructor(timeToLive: number) {
    this.#timeToLive = timeToLive;
  }

  /** Times of use do not go back. */
  add(hash: number, used: number): void {
    if (used - this.#begun > this.#timeToLive)
      [this.#old, this.#young, this.#begun] = [this.#young, new Map(), used];
    this.#young.set(hash, used);
  }

  has(hash: number, now: number): boolean {
    if (this.#young.size + this.#old.size === 0) return false;
    const used = this.#young.get(hash) ?? this.#old.get(hash);
    return used !== undefined && now - used <= this.#timeToLive;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}

/** 53 bits of a prefix and its next block. Two that meet would be a hit too many, once in many millions of prefixes. */
function mix(prefix: number, block: number): number {
  const [high, low] = [Math.floor(prefix / 2 ** 32), prefix >>> 0];
  const a = Math.imul(low ^ block, 0x85ebca6b) ^ Math.imul(high + 0x9e3779b9, 0xc2b2ae35);
  const b = Math.imul(a ^ (a >>> 15), 0x27d4eb2f) ^ Math.imul(block + 0x165667b1, 0x9e3779b1) ^ low;
  return ((b ^ (b >>> 13)) & 0x1fffff) * 2 ** 32 + ((a ^ (b >>> 16)) >>> 0);
}
