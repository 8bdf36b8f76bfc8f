/**
 * Fault-pin with decay: old, large results of functions go first, oldest first; what had left and was needed again, a page
 * fault, is pinned when it comes back. Then the other pages, oldest first; errors and pinned pages last.
 * Source: Mason, The Missing Memory Hierarchy (Pichay; arXiv 2603.09023): results older than four user turns and of more
 * than 500 bytes go, errors never, one fault pins for ever, and a newer reading replaces a pinned one.
 *
 * "For ever" fills a queue that has a hard limit, and the source argues for decay: here a pin's strength is halved every
 * `halfLife` user turns, and a page is pinned while it is 1 or more. A fault gives 1, a need of a pinned page adds 1, and an
 * error is born with 1. When nothing else is left, pins give way, the weakest first.
 */
import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import type { PagingPolicy } from './policy.js';
import { bit, rows, snapshotsOf, whole } from './snapshot.js';
import { takeEnough } from './victims.js';

export interface FaultPinOptions {
  /** User turns after which a result is old. Default 4, the source's. */
  readonly age?: number;
  /** A result below this is not worth an eviction of its own. Default 125: the source's 500 bytes, at four a token. */
  readonly least?: Tokens;
  /** User turns that halve a pin. Default 8: twice the age, so that a page in use outlives two sweeps. */
  readonly halfLife?: number;
}

interface Page {
  readonly id: PageId;
  readonly tokens: Tokens;
  /** User turns that had begun when it came. */
  readonly turn: number;
  readonly hasResults: boolean;
  /** As of `pinnedAt`. */
  pins: number;
  pinnedAt: number;
}

/** A pin lasts as many half-lives as this has bits, and no longer, however often it is needed. */
const MOST_PINS = 255;

const snapshots = snapshotsOf(
  'fault-pin',
  z.strictObject({
    turn: whole,
    last: whole,
    faulted: z.boolean(),
    pages: rows(z.tuple([whole, whole, whole, bit, whole.max(MOST_PINS), whole])),
  }),
);

export function faultPin(options: FaultPinOptions = {}): PagingPolicy {
  const table = new FaultPins({ age: 4, least: 125, halfLife: 8, ...options });
  return {
    id: 'fault-pin',
    version: 1,
    configure: () => undefined,
    onBirth: (page) => table.add(page),
    onNeed: (needs) => {
      for (const { id } of needs) table.need(id);
    },
    onResidency: (id, now) => {
      if (now === 'evicted') table.pages.delete(id);
    },
    victims: (ask) => takeEnough(table.inOrder(), ask),
    snapshot: (maxBytes) => snapshots.write(table.knowledge(), maxBytes),
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (known) table.load(known);
      return known !== undefined;
    },
  };
}

type Knowledge = NonNullable<ReturnType<typeof snapshots.read>>;

class FaultPins {
  /** Oldest first. */
  readonly pages = new Map<PageId, Page>();
  readonly #options: Required<FaultPinOptions>;
  #turn = 0;
  /** The newest page that was born: what is needed beyond it is not born yet, and no fault. */
  #last: PageId = 0;
  /** The page that holds what was read again comes next. */
  #faulted = false;

  constructor(options: Required<FaultPinOptions>) {
    this.#options = options;
  }

  add({ id, kind, tokens, firstSeq, lastSeq, failed = false, supersedes = [] }: PageView): void {
    if (kind === 'user') this.#turn++;
    const pins = this.#faulted || failed ? 1 : 0;
    const hasResults = kind === 'assistant' && lastSeq > firstSeq;
    this.pages.set(id, { id, tokens, turn: this.#turn, hasResults, pins, pinnedAt: this.#turn });
    for (const older of supersedes) this.#unpin(older);
    this.#faulted = false;
    this.#last = Math.max(this.#last, id);
  }

  #unpin(id: PageId): void {
    const page = this.pages.get(id);
    if (page) page.pins = 0;
  }

  need(id: PageId): void {
    const page = this.pages.get(id);
    if (!page) this.#faulted ||= id <= this.#last;
    else if (this.#strength(page) > 0) {
      page.pins = Math.min(MOST_PINS, this.#strength(page) + 1);
      page.pinnedAt = this.#turn;
    }
  }

  inOrder(): Page[] {
    const rank = (page: Page) => [this.#strength(page), this.#isStale(page) ? 0 : 1] as const;
    const ranked = [...this.pages.values()].map((page) => ({ page, rank: rank(page) }));
    const sorted = ranked.toSorted(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1]);
    return sorted.map(({ page }) => page);
  }

  #strength({ pins, pinnedAt }: Page): number {
    const halvings = Math.floor((this.#turn - pinnedAt) / this.#options.halfLife);
    return halvings > 31 ? 0 : pins >> halvings;
  }

  #isStale({ hasResults, tokens, turn }: Page): boolean {
    const { age, least } = this.#options;
    return hasResults && tokens > least && this.#turn - turn >= age;
  }

  knowledge(): Knowledge {
    const pages = [...this.pages.values()].map(
      ({ id, tokens, turn, hasResults, pins, pinnedAt }): Knowledge['pages'][number] => [
        id,
        tokens,
        turn,
        hasResults ? 1 : 0,
        pins,
        pinnedAt,
      ],
    );
    return { turn: this.#turn, last: this.#last, faulted: this.#faulted, pages };
  }

  load({ turn, last, faulted, pages }: Knowledge): void {
    [this.#turn, this.#last, this.#faulted] = [turn, last, faulted];
    this.pages.clear();
    for (const [id, tokens, born, results, pins, pinnedAt] of pages)
      this.pages.set(id, { id, tokens, turn: born, hasResults: results === 1, pins, pinnedAt });
  }
}
