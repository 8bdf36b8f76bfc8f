import { createHash } from 'node:crypto';
import { segmentsOf, type Segment } from './prompt.js';
import type { CacheMark, MessagesRequest } from './types.js';

/** The service looks for an entry at so many blocks, counted back from a mark, the mark's own included. */
export const LOOK_BACK = 20;

const LIFE: Record<NonNullable<CacheMark['ttl']>, number> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

export interface CacheUse {
  readonly read: number;
  readonly written: Readonly<Record<NonNullable<CacheMark['ttl']>, number>>;
}

export interface PromptCache {
  /** What of the prompt was cached under this key, and what is from now on. */
  take(request: MessagesRequest, apiKey: string): CacheUse;
}

/**
 * A prompt cache as the service describes it: entries are made at the marks, from the minimum on; from each mark it looks
 * back for one; a hit makes the entry live on. `now` in milliseconds.
 */
export function createPromptCache(minimum: number, now: () => number): PromptCache {
  const entries = new Map<string, number>();
  return {
    take(request, apiKey) {
      const places = placesOf(segmentsOf(request), JSON.stringify([apiKey, request.model]));
      const marks = places.flatMap(({ mark, tokens }, at) => (mark && tokens >= minimum ? [at] : []));
      const time = now();
      const alive = (at: number): boolean => (entries.get(places[at]?.hash ?? '') ?? 0) > time;
      const hits = marks.flatMap((mark) => {
        const reach = Array.from({ length: LOOK_BACK }, (_, back) => mark - back);
        return reach.filter((at) => at >= 0 && alive(at)).slice(0, 1);
      });
      const read = Math.max(0, ...hits.map((at) => places[at]?.tokens ?? 0));
      const written = { '5m': 0, '1h': 0 };
      let upTo = read;
      for (const at of marks) {
        const place = places[at];
        if (place === undefined) continue;
        const ttl = place.mark?.ttl ?? '5m';
        written[ttl] += Math.max(0, place.tokens - upTo);
        upTo = Math.max(upTo, place.tokens);
        entries.set(place.hash, time + LIFE[ttl]);
      }
      for (const at of hits) prolong(entries, places[at]?.hash ?? '', time);
      return { read, written };
    },
  };
}

function prolong(entries: Map<string, number>, hash: string, time: number): void {
  entries.set(hash, Math.max(entries.get(hash) ?? 0, time + LIFE['5m']));
}

interface Place {
  /** Of the prompt up to here. */
  readonly hash: string;
  readonly tokens: number;
  readonly mark: CacheMark | undefined;
}

function placesOf(segments: readonly Segment[], seed: string): Place[] {
  let hash = seed;
  let tokens = 0;
  return segments.map((segment) => {
    hash = createHash('sha256').update(`${hash}\n${segment.content}`).digest('hex');
    tokens += segment.tokens;
    return { hash, tokens, mark: segment.mark };
  });
}
