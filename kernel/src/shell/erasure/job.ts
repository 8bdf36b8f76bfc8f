/**
 * An erasure as a row of the process that it is about. It is written before anything goes and is deleted when all is
 * gone, so a crash delays an erasure and never loses one. It names what goes by position and id, never by text.
 */
import type { Instant, Json, PageId, Pid, Put, Row, RowKey, Seq } from '@pagefault/contracts';
import type { ErasedVersion } from '../../core/erased.js';
import type { OutboxEntry } from '../../core/journal.js';
import type { QuoteMarks } from '../../core/quotes.js';

export const ERASURE_SPACE = 'erasures';

export interface ErasureJob {
  /** The same in all processes that one erasure reaches. */
  readonly id: string;
  readonly at: Instant;
  /** What an ancestor erased of the history that this process shares. */
  readonly inherited?: Inherited;
  /** What goes. Not there yet for what was inherited, until the process has looked through its own log. */
  readonly plan?: Plan;
  /** Log, queue, summary and rows are done; what is left lies outside of the store. */
  readonly repaired?: boolean;
  /** Recordings could not be deleted. */
  readonly recordingsLeft?: boolean;
}

/** Where a message is, or was. */
export interface Place {
  readonly seq: Seq;
  readonly page: PageId;
}

/** What goes, in the view of a process that did not write it. */
export interface Inherited {
  readonly places: readonly Place[];
  /** Those of them that a summary may stand for. */
  readonly news: readonly Seq[];
  /** By id. */
  readonly passages: readonly string[];
  readonly documents: readonly string[];
  readonly quotes: QuoteMarks;
}

export interface Plan {
  /** In its own log. */
  readonly own: readonly Place[];
  /** In its ancestors' logs: gone already. */
  readonly foreign: readonly Place[];
  /** Of both, those that a summary may stand for. */
  readonly news: readonly Seq[];
  readonly passages: readonly { readonly id: string; readonly ordinal: number }[];
  readonly foreignPassages: readonly string[];
  /** Mapped ones, by id: its own, such as were unmapped since, and those that it read where an ancestor has them. */
  readonly documents: readonly string[];
  /** Documents that have a vector, or wait for one. */
  readonly indexed: readonly OutboxEntry[];
  /** Those after them that stay: their vectors hold part of what goes, and are made again. None in jobs of before. */
  readonly followers?: readonly OutboxEntry[];
  /** Ids of interrupts that wait in the inbox. */
  readonly waiting: readonly string[];
  readonly deletes: readonly RowKey[];
  /** Ids of interrupts whose stored answer goes; that they were delivered stays known. */
  readonly answers: readonly string[];
  readonly versions: readonly ErasedVersion[];
  readonly speakers: readonly string[];
  /** The summary stands for one of them. */
  readonly remakesSummary: boolean;
  /** For the children, who cannot read the text any more. */
  readonly quotes: QuoteMarks;
  readonly found: Found;
}

/** What the report says of it. */
export interface Found {
  readonly messages: number;
  /** Of them, or of passages that go; and what the kernel itself wrote that quotes them. */
  readonly copies: number;
  /** Pages of the queue that show one. */
  readonly pages: number;
  /** Quote them word for word, and stay. */
  readonly quotedBy: Quoting;
  /** Meant too, but in the log of an ancestor. */
  readonly atAncestors: readonly HeldByAncestor[];
}

/** Of what is meant, how much is in the log of an ancestor. */
export interface HeldByAncestor {
  readonly pid: Pid;
  /** Messages, or passages. */
  readonly count: number;
}

export interface Quoting {
  /** By name: for the value that they have; shared ones also for an earlier one. */
  readonly blocks: readonly string[];
  /** By id. */
  readonly messages: readonly string[];
  readonly passages: readonly string[];
  readonly timers: readonly string[];
  /** Interrupts that wait in the inbox, by id. */
  readonly waiting: readonly string[];
  /** Mapped ones, by name. */
  readonly documents: readonly string[];
  /** False when more went than is looked for: then there may be others. */
  readonly complete: boolean;
}

export function jobKey({ id }: Pick<ErasureJob, 'id'>): RowKey {
  return { space: ERASURE_SPACE, key: id };
}

export function jobPut(job: ErasureJob): Put {
  return { ...jobKey(job), value: job as unknown as Json };
}

export const NOTHING_INHERITED: Inherited = Object.freeze({
  places: [],
  news: [],
  passages: [],
  documents: [],
  quotes: { marks: [], lengths: [] },
});

export function jobsOf(rows: readonly Row[]): readonly ErasureJob[] {
  return rows
    .filter(({ space }) => space === ERASURE_SPACE)
    .map(({ value }) => withDefaults(value as unknown as ErasureJob))
    .toSorted((a, b) => a.at - b.at);
}

/** Jobs of earlier kernels know of no mapped documents. */
function withDefaults(job: ErasureJob): ErasureJob {
  const { plan, inherited } = job;
  return {
    ...job,
    ...(inherited && { inherited: { ...NOTHING_INHERITED, ...inherited } }),
    ...(plan && { plan: { ...plan, documents: asStored(plan).documents ?? [] } }),
  };
}

function asStored(plan: Plan): Partial<Plan> {
  return plan;
}

/** In the process's view, its own and its ancestors'. */
export function placesOf({ plan, inherited }: ErasureJob): readonly Place[] {
  return plan ? [...plan.own, ...plan.foreign] : (inherited?.places ?? []);
}

/** Positions that may be missing from the log while the state still refers to them. */
export function positionsOf(jobs: readonly ErasureJob[]): ReadonlySet<Seq> {
  return new Set(jobs.flatMap((job) => placesOf(job).map(({ seq }) => seq)));
}
