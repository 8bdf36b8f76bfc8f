/** What must be said of a trace beside every figure of it. */
import type { Tokens } from '@pagefault/contracts';
import { type PagingTrace, pageCount, stepCount } from '../trace/paging-trace.js';
import { type Rankable, rankable } from '../trace/summary.js';
import { wholeOf } from './budgets.js';

export interface TraceFacts {
  readonly id: string;
  readonly pages: number;
  readonly steps: number;
  /** Of all pages. */
  readonly tokens: Tokens;
  readonly judged: Rankable;
}

export function factsOf(trace: PagingTrace): TraceFacts {
  return {
    id: trace.header.id,
    pages: pageCount(trace),
    steps: stepCount(trace),
    tokens: wholeOf(trace),
    judged: rankable(trace),
  };
}

/** `weekly: 293 annotated needs; policies in the order of their cost`, or that they are not ranked, and why. */
export function subtitleOf({ id, judged }: Pick<TraceFacts, 'id' | 'judged'>, order: string): string {
  const counts = Object.entries(judged.needs).filter(([, count]) => count > 0);
  const told = counts.map(([kind, count]) => `${count.toLocaleString('en-US')} ${kind}`).join(', ') || 'no';
  const ranking = judged.rankable ? order : `not ranked, for that takes ${judged.fewest} of one kind`;
  return `${id}: ${told} needs; ${ranking}`;
}
