import { BOUNDARY_KINDS, type UsageLine } from './format.js';
import type { PagingTrace } from './paging-trace.js';

const SESSION_END = BOUNDARY_KINDS.indexOf('session_end');

/**
 * The sessions of a trace, each a trace by itself: its pages and steps are numbered from 0, and it begins at time 0. A need
 * of a page of another session is left out; there is none in what the importers make. So are pages between a session's last
 * step and its end: no call saw them.
 */
export function sessionsOf(trace: PagingTrace): PagingTrace[] {
  const starts = sessionStarts(trace);
  const usage: UsageLine[][] = starts.map(() => []);
  for (const line of trace.usage) usage[sessionAt(starts, line.step)]?.push(line);
  return starts.map((from, at) => slice(trace, from, starts[at + 1] ?? trace.times.length, usage[at] ?? []));
}

/** The number of the session that a step is of. */
export function sessionAt(starts: readonly number[], step: number): number {
  let [first, last] = [0, starts.length - 1];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if ((starts[middle] ?? 0) <= step) first = middle;
    else last = middle - 1;
  }
  return first;
}

/** The first step of each session. */
export function sessionStarts(trace: PagingTrace): number[] {
  const { boundaries, boundaryStart } = trace;
  const starts = [0];
  for (let step = 1; step < trace.times.length; step++)
    for (let at = boundaryStart[step] ?? 0; at < (boundaryStart[step + 1] ?? 0); at++)
      if (boundaries[at] === SESSION_END && starts.at(-1) !== step) starts.push(step);
  return starts;
}

function slice(trace: PagingTrace, from: number, to: number, usage: readonly UsageLine[]): PagingTrace {
  const firstPage = trace.ownStart[from] ?? 0;
  if (from === 0 && to === trace.times.length && firstPage === 0) return trace;
  const pages = [firstPage, trace.bornStart[to] ?? 0] as const;
  const isOwn = (page: number) => page >= pages[0] && page < pages[1];
  const needs = entries(trace.needStart, from, to, (at) => isOwn(trace.needs[at] ?? -1));
  const superseded = entries(trace.supersededStart, from, to, (at) => isOwn(trace.superseded[at] ?? -1));
  const boundaries = entries(trace.boundaryStart, from, to, (at) => trace.boundaries[at] !== SESSION_END);
  const begin = trace.times[from] ?? 0;
  return {
    header: trace.header,
    tokens: trace.tokens.slice(...pages),
    kinds: trace.kinds.slice(...pages),
    pinned: trace.pinned.slice(...pages),
    failed: trace.failed.slice(...pages),
    importance: trace.importance.slice(...pages),
    terms: trace.terms.slice(...pages),
    sessions: trace.sessions.slice(...pages),
    objects: trace.objects.slice(...pages),
    bornStart: trace.bornStart.slice(from, to + 1).map((page) => Math.max(0, page - firstPage)),
    ownStart: trace.ownStart.slice(from, to).map((page) => page - firstPage),
    times: trace.times.slice(from, to).map((time) => time - begin),
    replies: trace.replies.slice(from, to),
    queries: trace.queries.slice(from, to),
    ranks: trace.ranks
      .slice(from, to)
      .map((rank) => rank.filter((page) => isOwn(page)).map((page) => page - firstPage)),
    needStart: needs.start,
    needs: Int32Array.from(needs.places, (at) => (trace.needs[at] ?? 0) - firstPage),
    needKinds: Uint8Array.from(needs.places, (at) => trace.needKinds[at] ?? 0),
    supersededStart: superseded.start,
    superseded: Int32Array.from(superseded.places, (at) => (trace.superseded[at] ?? 0) - firstPage),
    boundaryStart: boundaries.start,
    boundaries: Uint8Array.from(boundaries.places, (at) => trace.boundaries[at] ?? 0),
    usage: usage.map((line) => ({ ...line, step: line.step - from })),
  };
}

/** The entries that steps own, as far as they are kept: where each step's begin, and where they stood. */
function entries(start: Int32Array, from: number, to: number, keeps: (at: number) => boolean) {
  const places: number[] = [];
  const starts = [0];
  for (let step = from; step < to; step++) {
    for (let at = start[step] ?? 0; at < (start[step + 1] ?? 0); at++) if (keeps(at)) places.push(at);
    starts.push(places.length);
  }
  return { start: Int32Array.from(starts), places };
}
