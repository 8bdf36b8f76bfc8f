import type { Instant, Milliseconds } from '@pagefault/contracts';
import type { Clock } from './clock.js';

/** A clock that stands still until it is told to go on: for tests and simulations. */
export interface VirtualClock extends Clock {
  /** How many wait to be run. */
  readonly waiting: number;
  /** Goes on by so much, and runs on the way what falls due. Resolves when what it set going has settled. */
  advance(duration: Milliseconds): Promise<void>;
  /** Goes on to an instant; one that is past is now. */
  advanceTo(instant: Instant): Promise<void>;
  /** Shows another time, earlier or later, and runs nothing by itself: as when somebody sets a machine's clock. */
  set(instant: Instant): void;
}

interface Waiting {
  readonly instant: Instant;
  readonly run: () => void;
}

/**
 * Starts at `start`. What falls due runs in the order of its instants, those of the same instant in the order in which
 * they were asked for; after each, promises and what the event loop has ready come first. What needs a disk or a network
 * is not waited for.
 */
export function virtualClock(start: Instant = 0): VirtualClock {
  let now = start;
  const waiting = new Set<Waiting>();

  async function runDue(until: Instant): Promise<void> {
    await settled();
    for (let due = earliest(waiting, until); due; due = earliest(waiting, until)) {
      now = Math.max(now, due.instant);
      waiting.delete(due);
      due.run();
      await settled();
    }
    now = Math.max(now, until);
  }

  return {
    now: () => now,
    at(instant, run) {
      const entry = { instant, run };
      waiting.add(entry);
      if (instant <= now) queueMicrotask(() => void (waiting.delete(entry) && run()));
      return () => void waiting.delete(entry);
    },
    get waiting() {
      return waiting.size;
    },
    advance: (duration) => runDue(now + duration),
    advanceTo: runDue,
    set: (instant) => void (now = instant),
  };
}

/** The first to fall due. A set keeps the order in which they were asked for. */
function earliest(waiting: ReadonlySet<Waiting>, until: Instant): Waiting | undefined {
  let first: Waiting | undefined;
  for (const entry of waiting) {
    if (entry.instant <= until && (!first || entry.instant < first.instant)) first = entry;
  }
  return first;
}

/** A turn of the event loop: all promises that need nothing from outside are settled then. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
