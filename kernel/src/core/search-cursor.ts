/**
 * Where a search goes on. A cursor holds what is left of its ranking, so that its pages have no gap and no repeat
 * whatever is said, indexed or evicted meanwhile, on every stack and after a restart: some two bytes a result.
 */
import { PagefaultError, type Seq } from '@pagefault/contracts';
import type { Distinct } from './search/index.js';
import { fingerprint } from './text.js';

/** What is left of a ranking. */
export interface RankingCursor {
  readonly kind: 'ranking';
  /** All results, those that were shown included. */
  readonly total: number;
  readonly shown: number;
  /** As in the results. */
  readonly wordMatch: boolean;
  readonly unranked: number;
  /** Best first. */
  readonly left: readonly Distinct[];
}

/** How far a list by time was read. */
export interface ListCursor {
  readonly kind: 'list';
  readonly total: number;
  readonly shown: number;
  /** The last position that was shown, and the last of the list. */
  readonly after: Seq;
  readonly through: Seq;
}

export type SearchCursor = RankingCursor | ListCursor;

const KINDS = ['ranking', 'list'] as const;

/** `of` says which search it belongs to: another one is not gone on with by it. */
export function writeCursor(cursor: SearchCursor, of: unknown): string {
  const { kind, total, shown } = cursor;
  const numbers = kind === 'list' ? [cursor.after, cursor.through] : rankingNumbers(cursor);
  return `${tagOf(of)}.${pack([KINDS.indexOf(kind), total, shown, ...numbers])}`;
}

/** Errors: `E_INVALID` for what is no cursor of this kind, or one of another search. */
export function readCursor<Kind extends SearchCursor['kind']>(
  text: string,
  of: unknown,
  kind: Kind,
): Extract<SearchCursor, { kind: Kind }> {
  const [tag, packed = ''] = text.split('.');
  const cursor = tag === tagOf(of) ? parse(unpack(packed)) : undefined;
  if (cursor?.kind !== kind) throw foreign();
  return cursor as Extract<SearchCursor, { kind: Kind }>;
}

function parse([kind, total = 0, shown = 0, ...numbers]: readonly number[]): SearchCursor | undefined {
  if (kind === 1) return { kind: 'list', total, shown, after: numbers[0] ?? 0, through: numbers[1] ?? 0 };
  const [wordMatch = 0, unranked = 0, ...left] = numbers;
  if (kind !== 0 || left.length % 2 !== 0) return undefined;
  return { kind: 'ranking', total, shown, wordMatch: wordMatch === 1, unranked, left: pairs(left) };
}

function rankingNumbers({ wordMatch, unranked, left }: RankingCursor): number[] {
  return [wordMatch ? 1 : 0, unranked, ...left.flatMap(({ ordinal, times }) => [ordinal, times])];
}

function pairs(numbers: readonly number[]): Distinct[] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    ordinal: numbers[2 * i] ?? 0,
    times: numbers[2 * i + 1] ?? 1,
  }));
}

function tagOf(search: unknown): string {
  return fingerprint(JSON.stringify(search));
}

/** Whole numbers from 0, seven bits a byte, the low ones first; the high bit says that more follow. */
function pack(numbers: readonly number[]): string {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes).toString('base64url');
}

function unpack(text: string): number[] {
  const numbers: number[] = [];
  let [number, factor] = [0, 1];
  for (const byte of Buffer.from(text, 'base64url')) {
    number += (byte % 128) * factor;
    factor *= 128;
    if (!Number.isSafeInteger(number)) throw foreign();
    if (byte > 127) continue;
    numbers.push(number);
    [number, factor] = [0, 1];
  }
  return numbers;
}

function foreign(): PagefaultError {
  return new PagefaultError('E_INVALID', 'the cursor is not of this search', {
    hint: 'give it with the request that it came from, or leave it out to begin anew',
  });
}
