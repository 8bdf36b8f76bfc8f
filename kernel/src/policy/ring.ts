import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { bit, rows, snapshotsOf, whole } from './snapshot.js';
import { takeEnough } from './victims.js';

interface Frame {
  readonly id: PageId;
  readonly tokens: Tokens;
  isUsed: boolean;
  next: Frame;
  previous: Frame;
}

/** From the oldest page on, with the place of the hand among them. */
const ringSchema = z
  .strictObject({ hand: whole, frames: rows(z.tuple([whole, whole, bit])) })
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
  readonly #frames = new Map<PageId, Frame>();
  /** The newest is behind it. */
  #oldest: Frame | undefined;
  #hand: Frame | undefined;

  constructor(comesIn: Entry) {
    this.#comesIn = comesIn;
  }

  append({ id, tokens }: Pick<PageView, 'id' | 'tokens'>, isUsed = false): void {
    if (this.#frames.has(id)) return;
    const frame = linked(id, tokens, isUsed, this.#oldest);
    this.#oldest ??= frame;
    this.#hand ??= frame;
    this.#frames.set(id, frame);
  }

  use(id: PageId): void {
    const frame = this.#frames.get(id);
    if (frame) frame.isUsed = true;
  }

  take(ask: VictimQuery): PageId[] {
    return takeEnough(this.#rounds(), ask);
  }

  /** First round: pages without use; second round: the others, whose bits the first has cleared. */
  *#rounds(): Generator<Frame> {
    for (const frame of around(this.#hand)) if (!frame.isUsed) yield frame;
    for (const frame of around(this.#hand)) if (frame.isUsed) yield frame;
  }

  /** The hand has gone on to this page, past it, and, when it was used, once round before. */
  remove(id: PageId): void {
    const frame = this.#frames.get(id);
    if (!frame) return;
    const isSecondRound = frame.isUsed;
    for (const passed of around(this.#hand)) {
      if (passed === frame && !isSecondRound) break;
      passed.isUsed = false;
    }
    this.#unlink(frame);
  }

  #unlink(frame: Frame): void {
    this.#frames.delete(frame.id);
    const next = frame.next === frame ? undefined : frame.next;
    frame.previous.next = frame.next;
    frame.next.previous = frame.previous;
    this.#hand = next;
    if (this.#comesIn === 'behind the hand' || this.#oldest === frame) this.#oldest = next;
  }

  rows(): RingRows {
    const frames = [...around(this.#oldest)];
    const hand = Math.max(0, this.#hand ? frames.indexOf(this.#hand) : 0);
    return { hand, frames: frames.map(({ id, tokens, isUsed }) => [id, tokens, isUsed ? 1 : 0]) };
  }

  load({ hand, frames }: RingRows): void {
    this.#frames.clear();
    this.#oldest = this.#hand = undefined;
    for (const [id, tokens, isUsed] of frames) this.append({ id, tokens }, isUsed === 1);
    const [id = 0] = frames[hand] ?? [];
    this.#hand = this.#frames.get(id);
  }
}

/** A frame that stands just before `after`, or alone. */
function linked(id: PageId, tokens: Tokens, isUsed: boolean, after: Frame | undefined): Frame {
  const frame = { id, tokens, isUsed } as Frame;
  frame.next = after ?? frame;
  frame.previous = after?.previous ?? frame;
  frame.previous.next = frame;
  frame.next.previous = frame;
  return frame;
}

function* around(first: Frame | undefined): Generator<Frame> {
  if (!first) return;
  let frame = first;
  do {
    yield frame;
    frame = frame.next;
  } while (frame !== first);
}
