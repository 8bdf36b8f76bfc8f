/** What a trace holds, counted as its lines pass; and whether it has enough needs to rank anything by. */
import { FEWEST_NEEDS, NEED_KINDS, type NeedKind, type TraceHeader, type TraceLine } from './format.js';
import { needCounts, type PagingTrace } from './paging-trace.js';

export interface Rankable {
  /** Whether one kind of need alone is enough: kinds are not added up. */
  readonly rankable: boolean;
  readonly needs: Readonly<Record<NeedKind, number>>;
  /** So many there must be. */
  readonly fewest: number;
}

/** Policies are ranked on no trace that has too few needs. */
export function rankable(trace: PagingTrace): Rankable {
  return judge(needCounts(trace));
}

function judge(needs: Readonly<Record<NeedKind, number>>): Rankable {
  return { rankable: NEED_KINDS.some((kind) => needs[kind] >= FEWEST_NEEDS), needs, fewest: FEWEST_NEEDS };
}

export interface TraceSummary extends Rankable {
  readonly header: TraceHeader | undefined;
  readonly pages: number;
  /** Of all pages. */
  readonly tokens: number;
  readonly steps: number;
  /** With a step each: an end after the last step begins none. */
  readonly sessions: number;
}

export class TraceCounter {
  #header: TraceHeader | undefined;
  #pages = 0;
  #tokens = 0;
  #steps = 0;
  #sessions = 0;
  #isNew = true;
  readonly #needs = { annotated: 0, 're-read': 0, derived: 0 };

  take(line: TraceLine): void {
    if (line.type === 'header') this.#header = line;
    else if (line.type === 'page') {
      this.#pages++;
      this.#tokens += line.tok;
    } else if (line.type === 'step') {
      this.#steps++;
      if (this.#isNew) this.#sessions++;
      this.#isNew = false;
      for (const { why } of line.needs) this.#needs[why]++;
    } else if (line.type === 'boundary' && line.kind === 'session_end') this.#isNew = true;
  }

  summary(): TraceSummary {
    const counted = {
      pages: this.#pages,
      tokens: this.#tokens,
      steps: this.#steps,
      sessions: this.#sessions,
    };
    return { header: this.#header, ...counted, ...judge({ ...this.#needs }) };
  }
}
