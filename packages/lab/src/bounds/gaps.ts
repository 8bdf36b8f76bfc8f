import type { Tokens } from '@pagefault/contracts';
import type { PriceRatios } from '../cost/tally.js';
import type { PagingSetup } from '../paging/setup.js';
import { type Certainty, certaintyOf } from './certainty.js';
import type { Choice } from './dual.js';
import { firstLeaving, latestLeavings } from './leavings.js';
import { leastAt, type Limits, limitsOfSteps, limitsOfStretches, targetOf } from './room.js';
import { type Gap, runningSums, stepRates, type Timeline } from './timeline.js';

/** What keeping and missing cost at least, in the gaps in which a page may leave. */
export class Gaps {
  /** In the order of the steps at which they end. */
  readonly all: readonly Gap[];
  readonly limits: readonly Limits[];
  readonly #setup: PagingSetup;
  readonly #ratios: PriceRatios;
  readonly #line: Timeline;
  readonly #sure: Certainty;
  readonly #rates: Float64Array;
  readonly #ratesBefore: Float64Array;
  readonly #latest: Int32Array;

  constructor(line: Timeline, setup: PagingSetup, ratios: PriceRatios) {
    this.#setup = setup;
    this.#ratios = ratios;
    this.#line = line;
    this.#sure = certaintyOf(setup);
    this.#rates = stepRates(line, ratios);
    this.#ratesBefore = runningSums(this.#rates);
    this.#latest = latestLeavings(line);
    const first = firstLeaving(line);
    this.all = line.gaps.filter(({ to }) => to > first);
    this.limits = [limitsOfSteps, limitsOfStretches].map((of) => of(line, setup, this.#sure.isReadIn));
  }

  /** Whether a page that is needed is in the step's request in any case. */
  get isReadIn(): boolean {
    return this.#sure.isReadIn;
  }

  faults(): readonly Choice[] {
    const miss = this.#sure.maySpare ? 0 : 1;
    return this.all.map((gap) => this.#choice(gap, 0, miss));
  }

  /** What a fault costs, as far as it is sure: the call that asks for the page, and the page, written. */
  faultCosts(): readonly Choice[] {
    const written = this.#sure.isReadIn ? this.#ratios.written : 0;
    const isSpared = this.#sure.maySpare;
    return this.all.map((gap) =>
      this.#choice(gap, 0, isSpared ? 0 : this.#call(gap.to, 0) + written * gap.tokens),
    );
  }

  /** Whenever pages may leave. `share`: of what is sent because it was kept, so much is counted here. */
  costs(share: number): readonly Choice[] {
    return this.all.map((gap) => this.#choice(gap, this.keeping(gap, share), this.missing(gap, share)));
  }

  #choice({ from, to, tokens }: Gap, keep: number, miss: number): Choice {
    const { remains } = this.#setup;
    // What is no larger than its tombstone stays, unless it is masked, even where there is no room.
    const isFree = remains.kind === 'tombstone' && tokens <= remains.tokens;
    return { from, to, room: isFree ? 0 : tokens - this.#line.leastLeft, keep, miss };
  }

  /** `leaving`: a step after its birth at which it might have left. */
  keeping({ birth, from, to, tokens }: Gap, share: number, leaving: number = this.#line.steps): number {
    // Until pages may leave for the first time after its birth it is sent in any case.
    const kept = Math.max(from + 1, Math.min(leaving, this.#latest[birth] ?? leaving));
    if (kept > to) return 0;
    return share * tokens * ((this.#ratesBefore[to + 1] ?? 0) - (this.#ratesBefore[kept] ?? 0));
  }

  /** `prompt`: what the request holds at least before it is known what is missing. */
  missing({ to, tokens }: Gap, share: number, prompt: Tokens = 0): number {
    const { placement, remains } = this.#setup;
    if (!this.#sure.isReadIn) return this.#call(to, prompt);
    const rate = this.#rates[to] ?? 0;
    // Behind a page that is new, all is new to the cache; else this very prompt may have been sent before.
    const isNew = this.#line.hasBirth[to] === 1 && placement === 'tail' && !this.#sure.maySpare;
    const fresh = isNew ? Math.max(0, this.#ratios.written - rate) : 0;
    // It has left, and what leaves is read by the call that summarises.
    const left = remains.kind === 'summary' && !this.#setup.masking ? 1 : 0;
    return this.#call(to, prompt) + tokens * (fresh + share * rate + left);
  }

  /** The call that asks for a page. */
  #call(step: number, prompt: Tokens): number {
    const { callPerFault, faultOutput } = this.#setup;
    if (!this.#sure.isNoticed || !callPerFault) return 0;
    const { born, fixed } = this.#line;
    const before = leastAt(this.#line, step - 1, this.#sure.isReadIn) - (fixed[step - 1] ?? 0);
    const least = before + (fixed[step] ?? 0) + (born[step] ?? 0);
    return this.#ratios.read * Math.max(prompt, least) + this.#ratios.output * faultOutput;
  }

  /** Calls that write summaries: what does not fit at the end has left, was read, and is told in so many words. */
  summarising(): number {
    const { masking, remains } = this.#setup;
    if (remains.kind !== 'summary' || masking || this.#line.steps === 0) return 0;
    const { born, fixed, needed, steps, threshold } = this.#line;
    const last = steps - 1;
    const held = Math.max(threshold[last] ?? 0, targetOf(this.#setup)) - (fixed[last] ?? 0);
    const open = (born[last] ?? 0) + (needed[last] ?? 0);
    const left = Math.max(0, (runningSums(born)[steps] ?? 0) - Math.max(0, held, open));
    return left + this.#ratios.output * Math.min(remains.most, remains.ratio * left);
  }
}
