import type { PageId, PageView } from '@pagefault/contracts';
import { z } from 'zod';
import { NONE } from './column.js';
import { FrameList } from './frame-list.js';
import { Frames } from './frames.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { bit, pageId, rows, snapshotsOf, whole } from './snapshot.js';
import { nobody, offer, type Victims } from './victims.js';

/** In the order of the ring, with the place of the hand among them. */
const ringSchema = z
  .strictObject({ hand: whole, frames: rows(z.tuple([pageId, whole, bit])) })
  .refine(({ hand, frames }) => hand < Math.max(1, frames.length));

type RingRows = z.output<typeof ringSchema>;

type Entry = 'behind the hand' | 'behind the newest';

export function ringPolicy(id: string, comesIn: Entry): PagingPolicy {
  const ring = new Ring(comesIn);
  const snapshots = snapshotsOf(id, ringSchema);
  return {
    id,
    version: 1,
    configure: () => undefined,
    onBirth: (page) => ring.append(page),
    onNeed: (needs) => {
      for (const need of needs) ring.use(need.id);
    },
    onResidency: (page, now) => {
      if (now === 'evicted') ring.remove(page);
    },
    victims: (ask) => ring.take(ask),
    snapshot: (maxBytes) => snapshots.write(ring.rows(), maxBytes),
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (known) ring.load(known);
      return known !== undefined;
    },
  };
}

/**
 * Pages in a ring with a use bit each, and a hand that goes round: it clears the bits that it passes and takes the first
 * page that had none. What CLOCK and SIEVE share; they differ in where a new page comes in.
 *
 * To ask for victims moves nothing. When they leave, in the order in which they were named, the hand follows them.
 */
class Ring {
  readonly #comesIn: Entry;
  readonly #frames = new Frames();
  /** The first comes round after the last; between them the hand passes the end, which has no bit. */
  readonly #ring = new FrameList(this.#frames);
  readonly #used = this.#frames.column();
  /** At the end it is about to come to the first. */
  #hand = this.#ring.end;

  constructor(comesIn: Entry) {
    this.#comesIn = comesIn;
    this.#used.set(this.#ring.end, NONE);
  }

  append({ id, tokens }: Pick<PageView, 'id' | 'tokens'>): void {
    if (this.#frames.of(id) !== NONE) return;
    const frame = this.#frames.open(id, tokens);
    this.#ring.insertBefore(this.#comesIn === 'behind the hand' ? this.#hand : this.#ring.end, frame);
    this.#used.set(frame, 0);
  }

  use(id: PageId): void {
    const frame = this.#frames.of(id);
    if (frame !== NONE) this.#used.set(frame, 1);
  }

  /** First round: pages without use; second round: the others, whose bits the first has cleared. */
  take(ask: VictimQuery): PageId[] {
    const victims = nobody();
    this.#goRound(victims, ask, 0);
    if (victims.released < ask.release) this.#goRound(victims, ask, 1);
    return victims.ids;
  }

  #goRound(victims: Victims, ask: VictimQuery, used: 0 | 1): void {
    let frame = this.#hand;
    do {
      if (this.#used.get(frame) === used) offer(victims, frame, this.#frames, ask);
      frame = this.#ring.after(frame);
    } while (frame !== this.#hand && victims.released < ask.release);
  }

  /** The hand has gone on to this page, past it, and, when it was used, once round before. */
  remove(id: PageId): void {
    const frame = this.#frames.of(id);
    if (frame === NONE) return;
    const isSecondRound = this.#used.get(frame) === 1;
    if (isSecondRound) this.#clear(this.#hand, this.#hand);
    else if (frame !== this.#hand) this.#clear(this.#hand, frame);
    this.#hand = this.#ring.after(frame);
    this.#ring.remove(frame);
    this.#frames.close(frame);
  }

  /** The bits from one frame to just before another, which is all of them when it is the same one. */
  #clear(from: number, to: number): void {
    let frame = from;
    do {
      this.#used.set(frame, 0);
      frame = this.#ring.after(frame);
    } while (frame !== to);
    this.#used.set(this.#ring.end, NONE);
  }

  rows(): RingRows {
    const frames = this.#ring.rows().map(([id, tokens]): RingRows['frames'][number] => {
      return [id, tokens, this.#used.get(this.#frames.of(id)) === 1 ? 1 : 0];
    });
    const at = this.#hand === this.#ring.end ? NONE : this.#frames.page(this.#hand);
    return {
      hand: Math.max(
        0,
        frames.findIndex(([id]) => id === at),
      ),
      frames,
    };
  }

  load({ hand, frames }: RingRows): void {
    this.#ring.clear();
    this.#frames.clear();
    this.#hand = this.#ring.end;
    for (const [place, [id, tokens, isUsed]] of frames.entries()) {
      const frame = this.#frames.open(id, tokens);
      this.#ring.append(frame);
      this.#used.set(frame, isUsed);
      if (place === hand && hand > 0) this.#hand = frame;
    }
  }
}
