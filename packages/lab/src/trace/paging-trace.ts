/** A trace in typed arrays: what a simulator reads, a thousand times faster than lines. */
import type { BoundaryKind, NeedKind, TraceHeader, TraceLine, TracePageKind, UsageLine } from './format.js';
import { BOUNDARY_KINDS, NEED_KINDS, PAGE_KINDS } from './format.js';
import { IntegerLog, NameLog, NumberLog } from './logs.js';

/** Pages by id; steps by number. `…Start` arrays have one entry more than steps: step s owns the entries from [s] to [s + 1]. */
export interface PagingTrace {
  readonly header: TraceHeader;
  readonly tokens: Int32Array;
  /** Places in `PAGE_KINDS`. */
  readonly kinds: Uint8Array;
  /** 1 for a page that never leaves. */
  readonly pinned: Uint8Array;
  /** 1 for a result that was an error. */
  readonly failed: Uint8Array;
  /** 0 to 10; 0 when nobody said. */
  readonly importance: Uint8Array;
  /** Numbers of each page's words, ascending; empty when they are not told. */
  readonly terms: readonly (readonly number[])[];
  /** Numbers of the sessions that pages belong to, and of what they are readings of; -1 when that is not told. */
  readonly sessions: Int32Array;
  readonly objects: Int32Array;
  /** The first page born for each step. */
  readonly bornStart: Int32Array;
  /** The first of them that is of the step's session: those before it came after the last call of a session that has ended. */
  readonly ownStart: Int32Array;
  /** Milliseconds since the beginning, of each step. */
  readonly times: Float64Array;
  /** Tokens of each step's reply. */
  readonly replies: Int32Array;
  /** Numbers of the words that each step asks for; empty when they are not told. */
  readonly queries: readonly (readonly number[])[];
  /** Pages as a search would rank them at each step, the best first; empty when that is not told. */
  readonly ranks: readonly (readonly number[])[];
  readonly needStart: Int32Array;
  readonly needs: Int32Array;
  /** Places in `NEED_KINDS`. */
  readonly needKinds: Uint8Array;
  /** Pages that the step's new pages make out of date. */
  readonly supersededStart: Int32Array;
  readonly superseded: Int32Array;
  /** Places in `BOUNDARY_KINDS`, of boundaries before each step. */
  readonly boundaryStart: Int32Array;
  readonly boundaries: Uint8Array;
  readonly usage: readonly UsageLine[];
}

export function pageCount(trace: PagingTrace): number {
  return trace.tokens.length;
}

export function stepCount(trace: PagingTrace): number {
  return trace.times.length;
}

/** How many needs there are, by where they come from. */
export function needCounts(trace: PagingTrace): Record<NeedKind, number> {
  const counts = { annotated: 0, 're-read': 0, derived: 0 };
  for (const kind of trace.needKinds) counts[NEED_KINDS[kind] ?? 'derived']++;
  return counts;
}

export const kindOf = (place: number): TracePageKind => PAGE_KINDS[place] ?? 'user';
export const boundaryOf = (place: number): BoundaryKind => BOUNDARY_KINDS[place] ?? 'compact';

/** The lines are checked already. What stands after the last step is left out: no call saw it. */
export async function collectTrace(
  lines: AsyncIterable<TraceLine> | Iterable<TraceLine>,
): Promise<PagingTrace> {
  const collector = new Collector();
  for await (const line of lines) collector.take(line);
  return collector.trace();
}

class Collector {
  #header: TraceHeader | undefined;
  readonly #tokens = new IntegerLog();
  readonly #kinds = new IntegerLog();
  readonly #pinned = new IntegerLog();
  readonly #failed = new IntegerLog();
  readonly #importance = new IntegerLog();
  readonly #terms: (readonly number[])[] = [];
  readonly #queries: (readonly number[])[] = [];
  readonly #ranks: (readonly number[])[] = [];
  readonly #sessions = new NameLog();
  readonly #objects = new NameLog();
  readonly #bornStart = new IntegerLog(0);
  readonly #ownStart = new IntegerLog();
  /** Pages that were there when a session ended last. */
  #ended = 0;
  readonly #times = new NumberLog();
  readonly #replies = new IntegerLog();
  readonly #needStart = new IntegerLog(0);
  readonly #needs = new IntegerLog();
  readonly #needKinds = new IntegerLog();
  readonly #supersededStart = new IntegerLog(0);
  readonly #superseded = new IntegerLog();
  readonly #boundaryStart = new IntegerLog(0);
  readonly #boundaries = new IntegerLog();
  readonly #usage: UsageLine[] = [];

  take(line: TraceLine): void {
    switch (line.type) {
      case 'header':
        this.#header = line;
        return;
      case 'page':
        return this.#page(line);
      case 'step':
        return this.#step(line);
      case 'supersede':
        return this.#superseded.push(line.old);
      case 'boundary':
        return this.#boundary(line.kind);
      case 'usage':
        this.#usage.push(line);
        return;
    }
  }

  #page({
    tok,
    kind,
    pin = false,
    failed = false,
    imp = 0,
    terms = [],
    session,
    obj,
  }: Extract<TraceLine, { type: 'page' }>): void {
    this.#tokens.push(tok);
    this.#kinds.push(PAGE_KINDS.indexOf(kind));
    this.#pinned.push(pin ? 1 : 0);
    this.#failed.push(failed ? 1 : 0);
    this.#importance.push(Math.round(imp));
    this.#terms.push(terms);
    this.#sessions.push(session);
    this.#objects.push(obj);
  }

  #boundary(kind: BoundaryKind): void {
    this.#boundaries.push(BOUNDARY_KINDS.indexOf(kind));
    if (kind === 'session_end') this.#ended = this.#tokens.length;
  }

  #step({ ms, out, needs, query = [], rank = [] }: Extract<TraceLine, { type: 'step' }>): void {
    this.#times.push(ms);
    this.#replies.push(out);
    this.#queries.push(query);
    this.#ranks.push(rank);
    for (const { id, why } of needs) {
      this.#needs.push(id);
      this.#needKinds.push(NEED_KINDS.indexOf(why));
    }
    this.#ownStart.push(Math.max(this.#bornStart.last, this.#ended));
    this.#bornStart.push(this.#tokens.length);
    this.#needStart.push(this.#needs.length);
    this.#supersededStart.push(this.#superseded.length);
    this.#boundaryStart.push(this.#boundaries.length);
  }

  trace(): PagingTrace {
    if (!this.#header) throw new Error('a trace without a header was not checked');
    const pages = this.#bornStart.last;
    return {
      header: this.#header,
      tokens: this.#tokens.integers(pages),
      kinds: this.#kinds.bytes(pages),
      pinned: this.#pinned.bytes(pages),
      failed: this.#failed.bytes(pages),
      importance: this.#importance.bytes(pages),
      terms: this.#terms.slice(0, pages),
      sessions: this.#sessions.integers(pages),
      objects: this.#objects.integers(pages),
      bornStart: this.#bornStart.integers(),
      ownStart: this.#ownStart.integers(),
      times: this.#times.numbers(),
      replies: this.#replies.integers(),
      queries: this.#queries,
      ranks: this.#ranks,
      needStart: this.#needStart.integers(),
      needs: this.#needs.integers(),
      needKinds: this.#needKinds.bytes(),
      supersededStart: this.#supersededStart.integers(),
      superseded: this.#superseded.integers(this.#supersededStart.last),
      boundaryStart: this.#boundaryStart.integers(),
      boundaries: this.#boundaries.bytes(this.#boundaryStart.last),
      usage: this.#usage,
    };
  }
}
