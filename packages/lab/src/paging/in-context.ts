import type { Boundary, PageId, ResidencyCause, Tokens } from '@pagefault/contracts';
import type { PagingPolicy, VictimQuery } from '@pagefault/kernel';
import type { PagingTrace } from '../trace/paging-trace.js';
import { namedBy } from './named.js';
import { viewOf } from './view.js';

/** Where a context begins in its trace. */
export interface Beginning {
  readonly page: PageId;
  readonly step: number;
}

export interface Reclaim {
  readonly release: Tokens;
  /** Pages that may go, with what each would free. */
  readonly eligible: ReadonlyMap<PageId, Tokens>;
  readonly step: number;
}

/**
 * A policy that is spoken to by the trace's numbers and told of a context's pages and steps from 0 on, as a process numbers its
 * own: what it does there is then the same wherever in the trace the context stands. Pages of earlier contexts, which may be
 * needed, come after all others.
 */
export class PolicyInContext {
  readonly #policy: PagingPolicy;
  readonly #trace: PagingTrace;
  readonly #first: PageId;
  readonly #begun: number;
  readonly #pages: number;

  constructor(policy: PagingPolicy, trace: PagingTrace, { page, step }: Beginning = { page: 0, step: 0 }) {
    this.#policy = policy;
    this.#trace = trace;
    this.#first = page;
    this.#begun = step;
    this.#pages = trace.tokens.length;
  }

  born(page: PageId, supersedes: readonly PageId[]): void {
    const outdated = supersedes.map((older) => this.#told(older));
    this.#policy.onBirth(viewOf(this.#trace, page, this.#told(page), outdated));
  }

  needed(page: PageId, step: number): void {
    this.#policy.onNeed([{ id: this.#told(page), why: 'page-in' }], step - this.#begun);
  }

  evicted(page: PageId, cause: ResidencyCause): void {
    this.#policy.onResidency(this.#told(page), 'evicted', cause);
  }

  reached(boundary: Boundary): void {
    this.#policy.onBoundary?.(boundary);
  }

  /** Errors: `TypeError` for what is no list of pages. */
  victims({ release, eligible, step }: Reclaim): PageId[] {
    const query: VictimQuery = {
      release,
      isEligible: (id) => eligible.has(this.#meant(id)),
      tokensOf: (id) => eligible.get(this.#meant(id)) ?? 0,
      focus: this.#trace.queries[step] ?? [],
      step: step - this.#begun,
    };
    return namedBy(this.#policy, query, this.#pages).map((id) => this.#meant(id));
  }

  #told(page: PageId): PageId {
    return page < this.#first ? page + this.#pages - this.#first : page - this.#first;
  }

  /** Any number may be asked for; -1 for one of no page. */
  #meant(id: PageId): PageId {
    if (!(id >= 0 && id < this.#pages)) return -1;
    return id < this.#pages - this.#first ? id + this.#first : id + this.#first - this.#pages;
  }
}
