import { drawsFrom } from './draws.js';
import type { FaultOutcome } from './report.js';
import type { PagingSetup } from './setup.js';

/** What a simulation draws: whether a summary meets a need, and what comes of a fault. One row of draws, from the seed. */
export class Chances {
  readonly #setup: PagingSetup;
  readonly #draw: () => number;

  constructor(setup: PagingSetup) {
    this.#setup = setup;
    this.#draw = drawsFrom(setup.seed);
  }

  /** `depth`: rewritings of the summary since it took the page in. */
  isMet(depth: number): boolean {
    return this.#draw() < this.#setup.retention ** depth;
  }

  /** A tombstone is noticed in any case. */
  outcomeOf(isSoft: boolean): FaultOutcome {
    if (!isSoft && this.#draw() >= this.#setup.notice) return 'unnoticed';
    return this.#draw() >= this.#setup.recall ? 'not found' : 'read in';
  }
}
