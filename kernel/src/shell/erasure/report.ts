/** What an erasure came to. */
import type { Pid } from '@pagefault/contracts';
import type { HeldByAncestor, Plan, Quoting } from './job.js';

export interface ErasureReport {
  readonly pid: Pid;
  readonly name: string;
  /** True when the process itself was erased, with all that it owned. */
  readonly whole: boolean;
  /** True when nothing of it is left anywhere that this kernel reaches. */
  readonly done: boolean;
  /**
   * What could not be done yet, a sentence each. It is gone on with when the process is attached next, and when a kernel
   * boots on the store.
   */
  readonly open: readonly string[];
  readonly erased: ErasedCounts;
  /** `none`: there is none. `kept`: it stands for none of what went. `gone`: nothing is left for it to stand for. */
  readonly summary: 'none' | 'kept' | 'made-again' | 'gone';
  readonly recordings: {
    /** Names of those that were deleted. */
    readonly deleted: readonly string[];
    /** Where others were made that this kernel does not reach: they are yours to delete. */
    readonly elsewhere: readonly string[];
  };
  /** What still quotes it, word for word: it is yours to edit or to erase. */
  readonly quotedBy: Quoting;
  /** Of a whole process: shared blocks that its model edited, by id. What it wrote there stays, under its pid. */
  readonly sharedBlocks: readonly string[];
  /** What was meant too, but is in the log of an ancestor: erase it there. */
  readonly atAncestors: readonly HeldByAncestor[];
  /** Forks, which read the same history. */
  readonly descendants: readonly ErasureReport[];
}

export interface ErasedCounts {
  readonly messages: number;
  /** What memory had put back of them, and what the kernel had written that quotes them. */
  readonly copies: number;
  /** Pages that left the queue. */
  readonly pages: number;
  readonly passages: number;
  /** Mapped documents. */
  readonly documents: number;
  /** Texts whose vector went from the archival index, or did not come there any more. */
  readonly vectors: number;
  /** Interrupts that waited in the inbox. */
  readonly waiting: number;
  /** Stored answers. */
  readonly answers: number;
  /** Earlier values of blocks. */
  readonly blockValues: number;
}

export const NOTHING: ErasedCounts = Object.freeze({
  messages: 0,
  copies: 0,
  pages: 0,
  passages: 0,
  documents: 0,
  vectors: 0,
  waiting: 0,
  answers: 0,
  blockValues: 0,
});

export const NOTHING_QUOTES: Quoting = Object.freeze({
  blocks: [],
  messages: [],
  passages: [],
  timers: [],
  waiting: [],
  documents: [],
  complete: true,
});

/** Of a process that could not be reached. */
export function failedReport(
  { pid, name }: { readonly pid: Pid; readonly name: string },
  error: unknown,
): ErasureReport {
  return {
    pid,
    name,
    whole: false,
    done: false,
    open: [error instanceof Error ? error.message : String(error)],
    erased: NOTHING,
    summary: 'none',
    recordings: { deleted: [], elsewhere: [] },
    quotedBy: NOTHING_QUOTES,
    sharedBlocks: [],
    atAncestors: [],
    descendants: [],
  };
}

export function countsOf({
  found,
  passages,
  documents,
  indexed,
  waiting,
  answers,
  versions,
}: Plan): ErasedCounts {
  return {
    messages: found.messages,
    copies: found.copies,
    pages: found.pages,
    passages: passages.length,
    documents: documents.length,
    vectors: indexed.length,
    waiting: waiting.length,
    answers: answers.length,
    blockValues: versions.length,
  };
}

/** A report and those of its descendants. */
export function allReports(report: ErasureReport): readonly ErasureReport[] {
  return [report, ...report.descendants.flatMap(allReports)];
}
