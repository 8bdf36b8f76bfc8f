/**
 * Replays a trace under a policy, by the very object that runs in the kernel. Under the recorded policy it evicts the
 * same pages at the same steps; under another it aims at the same occupancy at each reclaim, so that the two compare.
 */
import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { enough, type PagingPolicy, type PolicyFactory } from '@pagefault/kernel';
import type { Reclaim, Restore, Step, Trace } from './recorded-trace.js';

export interface Eviction {
  /** Cycles run when it happened. */
  readonly step: number;
  readonly page: PageId;
}

export interface ReplayReport {
  readonly policy: string;
  readonly evictions: readonly Eviction[];
  readonly needs: number;
  /** Needs of pages that were not resident. */
  readonly faults: number;
  /** Faults per need; 0 when nothing was needed. */
  readonly faultRate: number;
  /** The most tokens of pages that were resident at a request. */
  readonly peak: Tokens;
  /** Evicted pages that were never needed again. */
  readonly dead: number;
}

export function replay(trace: Trace, makePolicy: PolicyFactory): ReplayReport {
  const replayer = new Replayer(makePolicy());
  for (const step of trace.steps) replayer.take(step);
  return replayer.report();
}

/** The evictions of the recorded run itself. */
export function recordedEvictions(trace: Trace): Eviction[] {
  return trace.steps.flatMap((step) =>
    step.kind === 'reclaim' ? step.evicted.map((page) => ({ step: step.step, page })) : [],
  );
}

/** Two resident sets: the recorded one, which the trace dictates, and the one under study. */
class Replayer {
  readonly #policy: PagingPolicy;
  readonly #sizes = new Map<PageId, Tokens>();
  readonly #recorded = new Set<PageId>();
  readonly #resident = new Set<PageId>();
  readonly #evictions: Eviction[] = [];
  readonly #neededAfter = new Set<PageId>();
  /** Stubbed when they came, before they were born. */
  readonly #stubs = new Set<PageId>();
  #needs = 0;
  #faults = 0;
  #peak = 0;
  #step = 0;
  #focus: readonly number[] | undefined;

  constructor(policy: PagingPolicy) {
    this.#policy = policy;
  }

  take(step: Step): void {
    switch (step.kind) {
      case 'capacity':
        return this.#policy.configure({ capacity: step.tokens, unit: 'tokens' });
      case 'birth':
        return this.#birth(step.page);
      case 'restore':
        return this.#restore(step);
      case 'stub':
        return this.#stub(step.page);
      case 'need':
        return this.#need(step.page, step.why);
      case 'reclaim':
        return this.#reclaim(step);
      case 'boundary':
        return this.#policy.onBoundary?.(step.boundary);
      case 'cycle':
        this.#step = step.step;
        return undefined;
      case 'request':
        return this.#request(step.tokens, step.budget);
    }
  }

  #birth(page: PageView): void {
    this.#sizes.set(page.id, page.tokens);
    this.#recorded.add(page.id);
    this.#resident.add(page.id);
    this.#policy.onBirth(page);
    if (this.#stubs.delete(page.id)) this.#policy.onResidency(page.id, 'stub', 'admission');
  }

  /** Only the policy that was recorded can read it; another one knows the residents as new pages. */
  #restore({ policy, version, snapshot }: Restore): void {
    if (policy === this.#policy.id) this.#policy.restore(Buffer.from(snapshot, 'base64'), version);
  }

  #stub(page: PageId): void {
    if (!this.#sizes.has(page)) this.#stubs.add(page);
    else if (this.#resident.has(page)) this.#policy.onResidency(page, 'stub', 'reclaim');
  }

  #need(page: PageId, why: Parameters<PagingPolicy['onNeed']>[0][number]['why']): void {
    this.#needs++;
    if (!this.#resident.has(page)) {
      this.#faults++;
      this.#neededAfter.add(page);
    }
    this.#policy.onNeed([{ id: page, why }], this.#step);
  }

  #reclaim(reclaim: Reclaim): void {
    this.#step = reclaim.step;
    this.#focus = reclaim.focus;
    for (const [index, id] of reclaim.eligible.entries()) {
      const tokens = reclaim.sizes?.[index];
      if (tokens !== undefined) this.#sizes.set(id, tokens);
    }
    const eligible = new Set(reclaim.eligible);
    const kept = new Set([...this.#recorded].filter((id) => !eligible.has(id)));
    const surplus = this.#occupancy(this.#resident) - this.#occupancy(this.#recorded);
    for (const id of reclaim.evicted) this.#recorded.delete(id);
    this.#release(reclaim.release + surplus, (id) => this.#resident.has(id) && !kept.has(id));
  }

  /** What is not pages is as large as it was recorded; if this set is over the budget by itself, it must shrink. */
  #request(tokens: Tokens, budget: Tokens): void {
    const fixed = tokens - this.#occupancy(this.#recorded);
    const over = fixed + this.#occupancy(this.#resident) - budget;
    if (over > 0) this.#release(over, (id) => this.#resident.has(id) && id !== this.#newest());
    this.#peak = Math.max(this.#peak, this.#occupancy(this.#resident));
  }

  report(): ReplayReport {
    const faultRate = this.#needs === 0 ? 0 : this.#faults / this.#needs;
    const evicted = new Set(this.#evictions.map(({ page }) => page));
    const dead = [...evicted].filter((page) => !this.#neededAfter.has(page)).length;
    const tally = { needs: this.#needs, faults: this.#faults, faultRate, peak: this.#peak, dead };
    return { policy: this.#policy.id, evictions: this.#evictions, ...tally };
  }

  /** As the pager does, who asks only when something must go. */
  #release(release: Tokens, isEligible: (id: PageId) => boolean): void {
    if (release <= 0) return;
    const oldestFirst = [...this.#resident].filter(isEligible).toSorted((a, b) => a - b);
    const eligible = new Map(oldestFirst.map((id) => [id, this.#sizes.get(id) ?? 0]));
    const asked = this.#policy.victims({
      release,
      isEligible: (id) => eligible.has(id),
      tokensOf: (id) => eligible.get(id) ?? 0,
      ...(this.#focus && { focus: this.#focus }),
      step: this.#step,
    });
    for (const id of enough(asked, eligible, release)) this.#evict(id);
  }

  #evict(id: PageId): void {
    this.#resident.delete(id);
    this.#policy.onResidency(id, 'evicted', 'reclaim');
    this.#evictions.push({ step: this.#step, page: id });
  }

  #occupancy(pages: ReadonlySet<PageId>): Tokens {
    let sum = 0;
    for (const id of pages) sum += this.#sizes.get(id) ?? 0;
    return sum;
  }

  #newest(): PageId {
    return Math.max(0, ...this.#resident);
  }
}
