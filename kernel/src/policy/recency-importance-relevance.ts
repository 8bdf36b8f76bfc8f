/**
 * Recency, importance, relevance: the page whose sum of the three is least goes first, each scaled to 0..1 between the
 * least and the greatest among the pages that may go, all of the same weight.
 * Source: Park et al., Generative Agents (arXiv 2304.03442, §4.1): recency decays by .995 an hour since the last access.
 *
 * No clock, no model and no vectors here, so: an hour is one page that came; importance, which a model rates from 1 to 10
 * there, is the number of exact values that the page carries, up to ten; relevance is the cosine between the words of the
 * page and those of the newest user message. Where a page tells none of it, as in recordings of before, recency decides.
 */
import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { rows, snapshotsOf, whole } from './snapshot.js';
import { takeEnough } from './victims.js';

export interface ScoreOptions {
  /** What is left of recency when one more page has come. Default .995, the source's. */
  readonly decay?: number;
  /** Weights of the three. Default 1 each, the source's. */
  readonly recency?: number;
  readonly importance?: number;
  readonly relevance?: number;
}

type Part = 'recency' | 'importance' | 'relevance';

interface Scored {
  readonly id: PageId;
  readonly tokens: Tokens;
  readonly facts: number;
  readonly terms: readonly number[];
  /** How many pages had come when it came or was last needed. */
  used: number;
}

const packed = z.string().regex(/^(?:[A-Za-z0-9+/]{4})*$/);
const snapshots = snapshotsOf(
  'recency-importance-relevance',
  z.strictObject({ born: whole, pages: rows(z.tuple([whole, whole, whole, whole, packed])) }),
);

export function recencyImportanceRelevance(options: ScoreOptions = {}): PagingPolicy {
  const { decay = 0.995, recency = 1, importance = 1, relevance = 1 } = options;
  const weights = { recency, importance, relevance };
  let pages = new Map<PageId, Scored>();
  let born = 0;
  const ranked = (ask: VictimQuery) => {
    const focus = new Set(ask.focus);
    const parts = (page: Scored) => partsOf(page, born, decay, focus);
    return leastFirst(
      [...pages.values()]
        .filter(({ id }) => ask.isEligible(id))
        .map((page) => ({ page, parts: parts(page) })),
      weights,
    );
  };
  return {
    id: 'recency-importance-relevance',
    version: 1,
    configure: () => undefined,
    onBirth: (view) => void pages.set(view.id, { ...toldOf(view), used: (born += 1) }),
    onNeed: (needs) => {
      for (const { id } of needs) {
        const page = pages.get(id);
        if (page) page.used = born;
      }
    },
    onResidency: (id, now) => {
      if (now === 'evicted') pages.delete(id);
    },
    victims: (ask) => takeEnough(ranked(ask), ask),
    snapshot: (maxBytes) => snapshots.write({ born, pages: [...pages.values()].map(toRow) }, maxBytes),
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (!known) return false;
      born = known.born;
      pages = new Map(known.pages.map((row) => [row[0], fromRow(row)]));
      return true;
    },
  };
}

function toldOf({ id, tokens, facts = 0, terms = [] }: PageView): Omit<Scored, 'used'> {
  return { id, tokens, facts, terms };
}

type Parts = Readonly<Record<Part, number>>;

function partsOf(
  { used, facts, terms }: Scored,
  born: number,
  decay: number,
  focus: ReadonlySet<number>,
): Parts {
  return { recency: power(decay, born - used), importance: facts, relevance: cosine(terms, focus) };
}

/** Ties go oldest first: the sort is stable, and pages are in the order of their births. */
function leastFirst(pages: readonly { page: Scored; parts: Parts }[], weights: Parts): Scored[] {
  const names = ['recency', 'importance', 'relevance'] as const;
  const scales = names.map((name) => scaleOf(pages.map(({ parts }) => parts[name])));
  const score = (parts: Parts) =>
    names.reduce((sum, name, index) => sum + weights[name] * (scales[index]?.(parts[name]) ?? 0), 0);
  const scored = pages.map(({ page, parts }) => ({ page, score: score(parts) }));
  return scored.toSorted((a, b) => a.score - b.score).map(({ page }) => page);
}

/** Min-max to 0..1; 0 for all when they are equal. */
function scaleOf(values: readonly number[]): (value: number) => number {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [least, greatest] = [Math.min(least, value), Math.max(greatest, value)];
  return (value) => (greatest > least ? (value - least) / (greatest - least) : 0);
}

/** By squaring: `Math.pow` may differ in the last bit between engines, and a replay must not. */
function power(base: number, exponent: number): number {
  let result = 1;
  let factor = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= factor;
    factor *= factor;
  }
  return result;
}

function cosine(terms: readonly number[], focus: ReadonlySet<number>): number {
  if (terms.length === 0 || focus.size === 0) return 0;
  return terms.filter((term) => focus.has(term)).length / Math.sqrt(terms.length * focus.size);
}

type Row = readonly [PageId, Tokens, number, number, string];

function toRow({ id, tokens, used, facts, terms }: Scored): [...Row] {
  return [id, tokens, used, facts, pack(terms)];
}

function fromRow([id, tokens, used, facts, terms]: Row): Scored {
  return { id, tokens, used, facts, terms: unpack(terms) };
}

/** Terms have 24 bits, which are four letters of base64: half of what they take as digits. */
function pack(terms: readonly number[]): string {
  return btoa(terms.map((term) => String.fromCharCode(term >>> 16, (term >>> 8) & 255, term & 255)).join(''));
}

function unpack(text: string): number[] {
  const bytes = atob(text);
  return Array.from({ length: bytes.length / 3 }, (_, index) =>
    [0, 1, 2].reduce((term, offset) => term * 256 + bytes.charCodeAt(index * 3 + offset), 0),
  );
}
