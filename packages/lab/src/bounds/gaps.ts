import type { PriceRatios } from '../cost/tally.js';
import type { PagingSetup } from '../paging/setup.js';
import type { Choice } from './dual.js';
import { firstReclaimOf, latestReclaims } from './reclaims.js';
import { leastAt, type Limits, limitsOfSteps, limitsOfStretches, targetOf } from './room.js';
import { type Gap, stepRates, runningSums, type Timeline } from './timeline.js';

/** Each gap in which a page may leave as a choice: what it costs at least to keep the page, and to miss it. */
export class Gaps {
  readonly #setup: PagingSetup;
  readonly #ratios: PriceRatios;
  readonly #line: Timeline;
  readonly #gaps: readonly Gap[];
  readonly #rates: Float64Array;
  /** Whether a summary may meet a need. */
  readonly #maySpare: boolean;
  readonly #isNoticed: boolean;
  /** Whether a page that is needed is in the step's request in any case. */
  readonly #isReadIn: boolean;

  constructor(line: Timeline, setup: PagingSetup, ratios: PriceRatios) {
    const { notice, recall, remains } = setup;
    this.#setup = setup;
    this.#ratios = ratios;
    this.#line = line;
    this.#rates = stepRates(line, ratios);
    this.#maySpare = remains.kind === 'summary' && remains.retention > 0;
    this.#isNoticed = (notice === 1 || remains.kind === 'tombstone') && !this.#maySpare;
    this.#isReadIn = this.#isNoticed && recall === 1;
    const first = firstReclaimOf(line);
    this.#gaps = line.gaps.filter(({ to }) => to > first);
  }

  limits(): readonly Limits[] {
    return [
      limitsOfSteps(this.#line, this.#setup, this.#isReadIn),
      limitsOfStretches(this.#line, this.#setup, this.#isReadIn),
    ];
  }

  faults(): readonly Choice[] {
    return this.#gaps.map((gap) => ({ ...this.#roomOf(gap), keep: 0, miss: this.#maySpare ? 0 : 1 }));
  }

  /** `share`: of the tokens that are sent because they were kept, so much is counted here. */
  costs(share: number): readonly Choice[] {
    const rates = runningSums(this.#rates);
    const latest = latestReclaims(this.#line);
    return this.#gaps.map((gap) => {
      // Until the first reclaim after its birth it is sent in any case.
      const kept = Math.max(gap.from, (latest[gap.birth] ?? 0) - 1) + 1;
      const steps = kept > gap.to ? 0 : (rates[gap.to + 1] ?? 0) - (rates[kept] ?? 0);
      return { ...this.#roomOf(gap), keep: share * steps * gap.tokens, miss: this.#missing(gap, share) };
    });
  }

  #roomOf({ from, to, tokens }: Gap) {
    return { from, to, room: tokens - this.#line.tombstone };
  }

  #missing({ to, tokens }: Gap, share: number): number {
    const { callPerFault, faultOutput, remains } = this.#setup;
    const { output, read, written } = this.#ratios;
    const rate = this.#rates[to] ?? 0;
    const prompt = this.#promptBefore(to);
    const call = this.#isNoticed && callPerFault ? read * prompt + output * faultOutput : 0;
    if (!this.#isReadIn) return call;
    // Behind a page that is new, all is new to the cache; else this very prompt may have been sent before.
    const fresh = this.#line.hasBirth[to] === 1 ? Math.max(0, written - rate) : 0;
    // It has left, and what leaves is read by the call that summarises.
    const left = remains.kind === 'summary' ? 1 : 0;
    return call + tokens * (fresh + share * rate + left);
  }

  /** What the request holds at least when the step's pages are born and it is not yet known what is missing. */
  #promptBefore(step: number): number {
    const { born, fixed } = this.#line;
    const kept = leastAt(this.#line, step - 1, this.#isReadIn) - (fixed[step - 1] ?? 0);
    return kept + (fixed[step] ?? 0) + (born[step] ?? 0);
  }

  /** Calls that write summaries: what does not fit at the end has left, was read, and is told in so many words. */
  summarising(): number {
    const { remains } = this.#setup;
    if (remains.kind !== 'summary' || this.#line.steps === 0) return 0;
    const { born, fixed, needed, steps, threshold } = this.#line;
    const last = steps - 1;
    const held = Math.max(threshold[last] ?? 0, targetOf(this.#setup)) - (fixed[last] ?? 0);
    const open = (born[last] ?? 0) + (needed[last] ?? 0);
    const left = Math.max(0, (runningSums(born)[steps] ?? 0) - Math.max(0, held, open));
    return left + this.#ratios.output * Math.min(remains.most, remains.ratio * left);
  }
}
