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
import type { PagingPolicy, VictimQuery } from './policy.js';
import { SizedList } from './sized-list.js';
import { rows, snapshotsOf, whole } from './snapshot.js';
import { type Candidate, sizeNow } from './victims.js';

export interface ArcOptions {
  /** The most ghosts of each list; within it they are bounded by the capacity, as in the source. Default 2,048. */
  readonly ghosts?: number;
}

const list = rows(z.tuple([whole, whole]));
const LISTS = ['recent', 'often', 'recentGhosts', 'oftenGhosts'] as const;
const HITS = ['none', 'recent', 'often'] as const;

/** A page is in one list. */
function isOnceEach(lists: readonly (readonly (readonly [PageId, Tokens])[])[]): boolean {
  const ids = lists.flatMap((pages) => pages.map(([id]) => id));
  return new Set(ids).size === ids.length;
}

const snapshots = snapshotsOf(
  'arc',
  z.strictObject({
    target: z.number().min(0),
    hit: z.enum(HITS),
    lists: z.tuple([list, list, list, list]).refine(isOnceEach),
  }),
);

export function arc({ ghosts = 2_048 }: ArcOptions = {}): PagingPolicy {
  const lists = new ArcLists(ghosts);
  return {
    id: 'arc',
    version: 1,
    configure: ({ capacity }) => lists.resize(capacity),
    onBirth: ({ id, tokens }) => lists.add(id, tokens),
    onNeed: (needs) => {
      for (const { id } of needs) lists.need(id);
    },
    onResidency: (id, now, cause) => {
      if (cause === 'erasure') lists.forget(id);
      else if (now === 'evicted') lists.evict(id);
    },
    victims: (ask) => lists.victims(ask),
    snapshot: (maxBytes) => lists.snapshot(maxBytes),
    restore: (bytes, version) => version === 1 && lists.restore(bytes),
  };
}

class ArcLists {
  readonly recent = new SizedList();
  readonly often = new SizedList();
  readonly recentGhosts = new SizedList();
  readonly oftenGhosts = new SizedList();
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
    (this.#hit === 'none' ? this.recent : this.often).push(id, tokens);
    this.#hit = 'none';
    this.#trim();
  }

  need(id: PageId): void {
    const tokens = this.recent.remove(id) ?? this.often.remove(id);
    if (tokens !== undefined) return this.often.push(id, tokens);
    const [recent, often] = [this.recentGhosts.tokens, this.oftenGhosts.tokens];
    const recentGhost = this.recentGhosts.remove(id);
    const oftenGhost = this.oftenGhosts.remove(id);
    if (recentGhost !== undefined) this.#move('recent', recentGhost * ratio(often, recent));
    if (oftenGhost !== undefined) this.#move('often', -oftenGhost * ratio(recent, often));
  }

  #move(hit: 'recent' | 'often', by: number): void {
    this.#hit = hit;
    this.#target = Math.min(this.#capacity, Math.max(0, this.#target + by));
  }

  evict(id: PageId): void {
    for (const [from, to] of [
      [this.recent, this.recentGhosts],
      [this.often, this.oftenGhosts],
    ] as const) {
      const tokens = from.remove(id);
      if (tokens !== undefined) to.push(id, tokens);
    }
    this.#trim();
  }

  /** Also as a ghost. */
  forget(id: PageId): void {
    for (const list of [this.recent, this.often, this.recentGhosts, this.oftenGhosts]) list.remove(id);
  }

  /** Figure 4's REPLACE, once a victim. */
  victims(ask: VictimQuery): PageId[] {
    const [recent, often] = [eligible(this.recent, ask), eligible(this.often, ask)];
    let [first, second] = [recent.next(), often.next()];
    const victims: PageId[] = [];
    let left = this.recent.tokens;
    for (let released = 0; released < ask.release;) {
      const isRecent = !first.done && (second.done === true || this.#isRecentFull(left));
      const { done, value: page } = isRecent ? first : second;
      if (done) break;
      victims.push(page.id);
      released += sizeNow(ask, page.id, page.tokens);
      if (isRecent) [first, left] = [recent.next(), left - page.tokens];
      else second = often.next();
    }
    return victims;
  }

  #isRecentFull(tokens: Tokens): boolean {
    return tokens > this.#target || (this.#hit === 'often' && tokens === this.#target);
  }

  /** The source's bounds, recent ≤ capacity and all ≤ 2 × capacity with their ghosts, and our own on their number. */
  #trim(): void {
    const { recent, often, recentGhosts, oftenGhosts } = this;
    const first = () => recent.tokens + recentGhosts.tokens;
    const all = () => first() + often.tokens + oftenGhosts.tokens;
    recentGhosts.trim(() => first() > this.#capacity || recentGhosts.length > this.#mostGhosts);
    oftenGhosts.trim(() => all() > 2 * this.#capacity || oftenGhosts.length > this.#mostGhosts);
  }

  /** With fewer ghosts, the newest, when it would not fit; they only teach, and residents alone can be rebuilt. */
  snapshot(maxBytes: number): Uint8Array {
    for (let most = this.#mostGhosts; ; most = Math.floor(most / 2)) {
      const [recent, often, ...ghosts] = LISTS.map((name) => this[name].rows());
      const newest = ghosts.map((all) => all.slice(Math.max(0, all.length - most)));
      const lists = [recent, often, ...newest] as Parameters<typeof snapshots.write>[0]['lists'];
      const bytes = snapshots.write({ target: this.#target, hit: this.#hit, lists }, maxBytes);
      if (bytes.length > 0 || most === 0) return bytes;
    }
  }

  restore(bytes: Uint8Array): boolean {
    const known = snapshots.read(bytes);
    if (!known) return false;
    for (const [index, name] of LISTS.entries()) this[name].load(known.lists[index] ?? []);
    this.#hit = known.hit;
    this.#target = Math.min(known.target, this.#capacity);
    this.#trim();
    return true;
  }
}

/** Of the other list of ghosts to the one that was hit: the shorter list learns faster. */
function ratio(other: Tokens, hit: Tokens): number {
  return hit > 0 ? Math.max(1, other / hit) : 1;
}

function* eligible(pages: SizedList, ask: VictimQuery): Generator<Candidate, undefined> {
  for (const page of pages.pages()) if (ask.isEligible(page.id)) yield page;
  return undefined;
}
