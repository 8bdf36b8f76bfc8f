/**
 * ARC: two lists of residents, of pages needed once (since they came) and of pages needed again, and two of ghosts, of
 * pages that left each. A need of a ghost says which list was cut too short, and moves the target between them.
 * Source: Megiddo and Modha, ARC: A Self-Tuning, Low Overhead Replacement Cache (FAST 2003), figure 4; `recent` is its T1,
 * `often` its T2, `target` its p, real-valued.
 *
 * Here pages are sized, so lists and target are in tokens, and a ghost moves the target by its own size; with pages of
 * one size it is figure 4 to the page. A page of the kernel never comes back as such: a need of a ghost is followed by the
 * page that holds what was read again, and that one is born among the pages needed again.
 */
import type { PageId, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { NONE } from './column.js';
import { type KnownLists, listsPolicy } from './lists-policy.js';
import { PageLists, takeOfTwo } from './page-lists.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { areDisjoint, sizedRows, snapshotsOf } from './snapshot.js';

export interface ArcOptions {
  /** The most ghosts of each list; within it they are bounded by the capacity, as in the source. Default 2,048. */
  readonly ghosts?: number;
}

const [RECENT, OFTEN, RECENT_GHOSTS, OFTEN_GHOSTS] = [0, 1, 2, 3] as const;
const HITS = ['none', 'recent', 'often'] as const;

const snapshots = snapshotsOf(
  'arc',
  z.strictObject({
    target: z.number().min(0),
    hit: z.enum(HITS),
    lists: z.tuple([sizedRows, sizedRows, sizedRows, sizedRows]).refine(areDisjoint),
  }),
);

export function arc({ ghosts = 2_048 }: ArcOptions = {}): PagingPolicy {
  return listsPolicy('arc', new ArcLists(ghosts));
}

class ArcLists implements KnownLists {
  readonly #lists = new PageLists(4);
  readonly frames = this.#lists.frames;
  readonly #recent = this.#lists.at(RECENT);
  readonly #often = this.#lists.at(OFTEN);
  readonly #recentGhosts = this.#lists.at(RECENT_GHOSTS);
  readonly #oftenGhosts = this.#lists.at(OFTEN_GHOSTS);
  readonly #mostGhosts: number;
  #capacity: Tokens = Number.MAX_SAFE_INTEGER;
  #target = 0;
  /** The list whose ghost was needed since the last birth. */
  #hit: (typeof HITS)[number] = 'none';

  constructor(mostGhosts: number) {
    this.#mostGhosts = mostGhosts;
  }

  resize(capacity: Tokens): void {
    this.#capacity = capacity;
    this.#target = Math.min(this.#target, capacity);
    this.#trim();
  }

  add(id: PageId, tokens: Tokens): void {
    this.#lists.put(this.#hit === 'none' ? RECENT : OFTEN, id, tokens);
    this.#hit = 'none';
    this.#trim();
  }

  need(_: PageId, frame: number): void {
    const list = this.#lists.listOf(frame);
    if (list === RECENT || list === OFTEN) this.#lists.move(OFTEN, frame);
    else if (list !== NONE) this.#learn(list, frame);
  }

  #learn(list: number, frame: number): void {
    const size = this.frames.tokens(frame);
    const recent = this.#recentGhosts.tokens;
    const often = this.#oftenGhosts.tokens;
    this.#lists.drop(frame);
    if (list === RECENT_GHOSTS) this.#move('recent', size * ratio(often, recent));
    else this.#move('often', -size * ratio(recent, often));
  }

  #move(hit: 'recent' | 'often', by: number): void {
    this.#hit = hit;
    this.#target = Math.min(this.#capacity, Math.max(0, this.#target + by));
  }

  evict(_: PageId, frame: number): void {
    const list = this.#lists.listOf(frame);
    if (list !== RECENT && list !== OFTEN) return;
    this.#lists.move(list === RECENT ? RECENT_GHOSTS : OFTEN_GHOSTS, frame);
    this.#trim();
  }

  /** Also as a ghost. */
  forget(_: PageId, frame: number): void {
    if (frame !== NONE) this.#lists.drop(frame);
  }

  /** Figure 4's REPLACE, once a victim. */
  victims(ask: VictimQuery): PageId[] {
    return takeOfTwo(this.frames, this.#recent, this.#often, ask, this.#isRecentFull);
  }

  readonly #isRecentFull = (tokens: Tokens): boolean =>
    tokens > this.#target || (this.#hit === 'often' && tokens === this.#target);

  /** The source's bounds, recent ≤ capacity and all ≤ 2 × capacity with their ghosts, and our own on their number. */
  #trim(): void {
    const recent = this.#recentGhosts;
    while (recent.length > 0 && (this.#first() > this.#capacity || recent.length > this.#mostGhosts))
      this.#lists.drop(recent.first);
    const often = this.#oftenGhosts;
    while (often.length > 0 && (this.#all() > 2 * this.#capacity || often.length > this.#mostGhosts))
      this.#lists.drop(often.first);
  }

  #first(): Tokens {
    return this.#recent.tokens + this.#recentGhosts.tokens;
  }

  #all(): Tokens {
    return this.#first() + this.#often.tokens + this.#oftenGhosts.tokens;
  }

  snapshot(maxBytes: number): Uint8Array {
    const [target, hit] = [this.#target, this.#hit];
    return this.#lists.snapshot(RECENT_GHOSTS, (lists) =>
      snapshots.write({ target, hit, lists: lists as Knowledge['lists'] }, maxBytes),
    );
  }

  restore(bytes: Uint8Array): boolean {
    const known = snapshots.read(bytes);
    if (!known) return false;
    this.#lists.load(known.lists);
    this.#hit = known.hit;
    this.#target = Math.min(known.target, this.#capacity);
    this.#trim();
    return true;
  }
}

type Knowledge = NonNullable<ReturnType<typeof snapshots.read>>;

/** Of the other list of ghosts to the one that was hit: the shorter list learns faster. */
function ratio(other: Tokens, hit: Tokens): number {
  return hit > 0 ? Math.max(1, other / hit) : 1;
}
