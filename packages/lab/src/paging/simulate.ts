/**
 * A trace of an agent under a policy, as the kernel pages it: a page is born resident, so a birth is free; what is needed
 * and not resident is a fault, and is read in again at the end of the request. When a request would be over the budget, the
 * policy names who goes. The policy is the very object that runs in the kernel.
 */
import type { PageId, Tokens } from '@pagefault/contracts';
import { enough, type PagingPolicy, type PolicyFactory } from '@pagefault/kernel';
import { Meter } from '../cost/meter.js';
import { PromptCache } from '../cost/prompt-cache.js';
import type { PagingTrace } from '../trace/paging-trace.js';
import { sessionStarts } from '../trace/sessions.js';
import { Chances } from './chances.js';
import { evictedPages, noCounts } from './counts.js';
import { PolicyInContext } from './in-context.js';
import { type Prefetcher, prefetcher, PrefetchTally } from './prefetch.js';
import { billed, type PagingEvent, type PagingReport, type StepRecord, whole } from './report.js';
import { Residents } from './residents.js';
import { type PagingSetup, pagingSetup, reclaimAbove } from './setup.js';
import { isUser } from './view.js';

export interface SimulationOptions extends Partial<Omit<PagingSetup, 'budget'>> {
  /** The most a request may hold. */
  readonly budget: Tokens;
  /** Whether the report lists every eviction and fault, and every step. Default false. */
  readonly events?: boolean;
  readonly eachStep?: boolean;
}

/**
 * What makes a policy makes one for each context, which is told of its pages and steps from 0 on. One that is given as it is
 * is taken from context to context, by the trace's numbers: all pages are erased between them, and what it learned it keeps.
 * Errors: `E_CONFIG` for a setup that makes no sense.
 */
export function simulatePaging(
  trace: PagingTrace,
  policy: PagingPolicy | PolicyFactory,
  { events = false, eachStep = false, ...given }: SimulationOptions,
): PagingReport {
  const simulator = new PagingSimulator(trace, policy, pagingSetup(given), events);
  const made: StepRecord[] = [];
  for (let step = 0; step < trace.times.length; step++) {
    simulator.step(step);
    if (eachStep) made.push(simulator.record(step));
  }
  return { ...simulator.report(), made };
}

class PagingSimulator {
  readonly #trace: PagingTrace;
  readonly #make: () => PagingPolicy;
  readonly #setup: PagingSetup;
  readonly #contextEnds: ReadonlySet<number>;
  #made: PagingPolicy;
  /** The same, in the context. */
  #policy: PolicyInContext;
  #residents: Residents;
  /** Of the context: those before it are of another one. */
  #firstPage = 0;
  /** Of each step. What came after a session's last call is in the next call only where they share a context. */
  readonly #bornFrom: Int32Array;
  readonly #cache: PromptCache;
  readonly #agent: Meter;
  readonly #faultCalls: Meter;
  readonly #summaries: Meter;
  readonly #prefetcher: Prefetcher;
  readonly #prefetches = new PrefetchTally();
  readonly #chances: Chances;
  readonly #events: PagingEvent[] | undefined;
  /** The step at which each page left last; -1 for one that never did. */
  readonly #leftAt: Int32Array;
  readonly #pageIns: Uint8Array;
  /** 1 for a page that was needed while it was away, or would have been but for prefetch. */
  readonly #missed: Uint8Array;
  /** The step for which a page was born or needed last: it may not leave before that step's call. */
  readonly #openAt: Int32Array;
  #last = -Infinity;
  readonly #count = noCounts();

  constructor(
    trace: PagingTrace,
    policy: PagingPolicy | PolicyFactory,
    setup: PagingSetup,
    withEvents: boolean,
  ) {
    this.#trace = trace;
    this.#make = typeof policy === 'function' ? policy : () => policy;
    this.#made = this.#make();
    this.#policy = new PolicyInContext(this.#made, trace);
    this.#setup = setup;
    this.#contextEnds = new Set(setup.contexts === 'session' ? sessionStarts(trace).slice(1) : []);
    this.#bornFrom = setup.contexts === 'session' ? trace.ownStart : trace.bornStart;
    this.#residents = new Residents(trace, setup.remains);
    this.#cache = new PromptCache(setup.cache);
    this.#agent = new Meter(setup.longAbove);
    this.#faultCalls = new Meter(setup.longAbove);
    this.#summaries = new Meter(setup.longAbove);
    this.#prefetcher = prefetcher(trace, setup.prefetch);
    this.#chances = new Chances(setup);
    this.#events = withEvents ? [] : undefined;
    this.#leftAt = new Int32Array(trace.tokens.length).fill(-1);
    this.#pageIns = new Uint8Array(trace.tokens.length);
    this.#missed = new Uint8Array(trace.tokens.length);
    this.#openAt = new Int32Array(trace.tokens.length).fill(-1);
    this.#made.configure({ capacity: this.#setup.budget, unit: 'tokens' });
  }

  step(step: number): void {
    const now = this.#trace.times[step] ?? 0;
    if (this.#contextEnds.has(step)) this.#beginContext(step);
    const mark = reclaimAbove(this.#setup, now - this.#last > this.#setup.cache.timeToLive);
    this.#births(step);
    this.#prefetch(this.#prefetcher.atStep(step), mark);
    this.#needs(step, mark);
    this.#mask(step);
    if (this.#residents.prompt.tokens > mark) this.#release(step, mark);
    const { tokens } = this.#residents.prompt;
    if (tokens > this.#setup.budget) this.#count.overflows++;
    this.#count.peakTokens = Math.max(this.#count.peakTokens, tokens);
    this.#count.tokenSteps += tokens;
    const { read, written } = this.#cache.request(this.#residents.prompt, now);
    this.#agent.add(read, written, 0, this.#trace.replies[step] ?? 0);
    this.#last = now;
  }

  #beginContext(step: number): void {
    const [made, page] = [this.#make(), this.#bornFrom[step] ?? 0];
    if (made === this.#made) for (const id of this.#residents.pages()) this.#policy.evicted(id, 'erasure');
    else {
      this.#policy = new PolicyInContext(made, this.#trace, { page, step });
      made.configure({ capacity: this.#setup.budget, unit: 'tokens' });
    }
    this.#made = made;
    this.#residents = new Residents(this.#trace, this.#setup.remains, this.#residents);
    this.#prefetches.forget();
    this.#firstPage = page;
  }

  #births(step: number): void {
    const end = this.#trace.bornStart[step + 1] ?? 0;
    for (let page = this.#bornFrom[step] ?? 0; page < end; page++) {
      if (isUser(this.#trace, page)) this.#policy.reached('turn-end');
      this.#openAt[page] = step;
      this.#residents.add(page);
      this.#policy.born(page, page === end - 1 ? this.#residents.outdatedAt(step) : []);
    }
  }

  #needs(step: number, mark: Tokens): void {
    const { needs, needStart } = this.#trace;
    const [from, to] = [needStart[step] ?? 0, needStart[step + 1] ?? 0];
    const faults = this.#count.faults;
    for (let at = from; at < to; at++) this.#need(needs[at] ?? 0, step, mark);
    if (to > from) this.#count.stepsWithNeed++;
    if (this.#count.faults > faults) this.#count.stepsWithFault++;
  }

  #need(page: PageId, step: number, mark: Tokens): void {
    const tokens = this.#residents.tokensOf(page);
    this.#count.needs++;
    this.#count.neededTokens += tokens;
    this.#openAt[page] = step;
    this.#policy.needed(page, step);
    const isThere = this.#residents.has(page);
    // What was prefetched would have been missed.
    if (!isThere || this.#prefetches.needed(page)) this.#missed[page] = 1;
    if (isThere) return;
    if (this.#isInSummary(page)) this.#count.summaryHits++;
    else this.#fault(page, step, tokens, mark);
  }

  #isInSummary(page: PageId): boolean {
    if (this.#setup.remains.kind !== 'summary' || this.#residents.isStub(page)) return false;
    return this.#chances.isMet(this.#residents.depthOf(page));
  }

  #fault(page: PageId, step: number, tokens: Tokens, mark: Tokens): void {
    const { callPerFault, faultOutput } = this.#setup;
    this.#count.faults++;
    this.#count.faultedTokens += tokens;
    this.#prefetches.faulted(page);
    const prompt = this.#residents.prompt.tokens;
    if (this.#pageIns[page] === 1) this.#count.refaults++;
    const isSoft = this.#residents.isStub(page);
    const outcome = this.#chances.outcomeOf(isSoft);
    this.#events?.push({ kind: 'fault', step, page, since: this.#leftAt[page] ?? -1, prompt, outcome });
    if (isSoft) this.#count.softFaults++;
    if (outcome === 'unnoticed') return void this.#count.silentFaults++;
    // The call that asks for it reads what is there, from the cache, and says what it wants.
    if (callPerFault) this.#faultCalls.add(prompt, 0, 0, faultOutput);
    if (outcome === 'not found') return void this.#count.lostFaults++;
    this.#pageIns[page] = 1;
    this.#count.pageIns++;
    this.#count.pagedInTokens += tokens;
    this.#bringBack(page);
    this.#prefetch(this.#prefetcher.with(page, this.#firstPage, this.#trace.bornStart[step + 1] ?? 0), mark);
  }

  #bringBack(page: PageId): void {
    this.#residents.bringBack(page, this.#setup.placement);
    this.#prefetches.cameBack(page);
    this.#policy.born(page, []);
  }

  /** Only into room that is free. */
  #prefetch(pages: Iterable<PageId>, mark: Tokens): void {
    for (const page of pages) {
      const tokens = this.#residents.tokensOf(page);
      if (page < this.#firstPage || this.#residents.has(page)) continue;
      if (this.#residents.prompt.tokens + tokens > mark) continue;
      this.#bringBack(page);
      this.#prefetches.brought(page, tokens);
    }
  }

  #release(step: number, mark: Tokens): void {
    const { tokens } = this.#residents.prompt;
    const release = tokens - Math.floor(this.#setup.budget * this.#setup.targetShare);
    const freedBy = (id: PageId) => this.#residents.freedBy(id);
    const victims = this.#victims(release, this.#eligible(step, freedBy), step);
    if (victims.size === 0) return;
    this.#count.reclaims++;
    const { unused } = this.#prefetches;
    this.#prefetches.left(victims, tokens - unused > mark ? release - unused : 0, freedBy);
    const summary = this.#residents.leave(victims);
    if (summary) this.#summaries.add(0, 0, summary.read, summary.written);
    for (const page of victims) this.#left(page, step);
    this.#policy.reached('flush');
  }

  /** What the policy gives up unasked. */
  #mask(step: number): void {
    const { budget, masking } = this.#setup;
    if (!masking || this.#residents.prompt.tokens <= budget * masking.above) return;
    const eligible = this.#eligible(step, (id) => this.#residents.tokensOf(id) - masking.tokens);
    const masked = this.#victims(0, eligible, step);
    if (masked.size === 0) return;
    this.#prefetches.left(masked, Infinity, () => 0);
    this.#residents.mask(masked, masking.tokens);
    for (const page of masked) this.#left(page, step);
  }

  #victims(release: Tokens, eligible: ReadonlyMap<PageId, Tokens>, step: number): ReadonlySet<PageId> {
    return new Set(enough(this.#policy.victims({ release, eligible, step }), eligible, release));
  }

  /** Oldest first, as the pager says it; what this step brought or needs stays, and so does what frees nothing. */
  #eligible(step: number, freedBy: (id: PageId) => Tokens): Map<PageId, Tokens> {
    const eligible = new Map<PageId, Tokens>();
    for (const id of this.#residents.prompt.ids) {
      if (id < 0 || this.#trace.pinned[id] === 1 || this.#openAt[id] === step) continue;
      const freed = freedBy(id);
      if (freed > 0) eligible.set(id, freed);
    }
    return eligible;
  }

  #left(page: PageId, step: number): void {
    this.#count.evictions++;
    this.#leftAt[page] = step;
    this.#events?.push({ kind: 'eviction', step, page, tokens: this.#residents.tokensOf(page) });
    this.#policy.evicted(page, 'reclaim');
  }

  record(step: number): StepRecord {
    const { faults, evictions } = this.#count;
    return {
      step,
      tokens: this.#residents.prompt.tokens,
      faults,
      evictions,
      billed: whole(billed(this.#bills())),
    };
  }

  #bills() {
    return { agent: this.#agent.tally, faultCalls: this.#faultCalls.tally, summaries: this.#summaries.tally };
  }

  report(): Omit<PagingReport, 'made'> {
    return {
      policy: this.#made.id,
      steps: this.#trace.times.length,
      ...this.#count,
      ...this.#prefetches.count,
      ...evictedPages(this.#leftAt, this.#missed),
      ...this.#bills(),
      events: this.#events ?? [],
    };
  }
}
