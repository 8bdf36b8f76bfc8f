import type { MicroDollars, PageId, PageKind, Pid, Residency, Seq, Tokens } from '@pagefault/contracts';
import { type Bills, mergeBills, spendOfBills } from '../core/bills.js';
import { type Budget, budgetOf } from '../core/budget.js';
import type { MachineConfig } from '../core/config.js';
import { isPinned } from '../core/pins.js';
import { calibrated, pageTokens, pressureOf } from '../core/pressure.js';
import {
  type Block,
  type Counters,
  type ProcessState,
  residencyOf,
  type ResidentPage,
} from '../core/state.js';
import type { MappedDocument } from '../syscall/syscall.js';
import type { ProcessRecord } from './storage.js';

/** Main context of one process: what `pmap` prints. Tokens are calibrated. */
export interface MemoryMap {
  readonly pid: Pid;
  readonly name: string;
  readonly budget: Budget;
  /** What it runs on: its name in the stack, the driver, and the model's id at the provider. */
  readonly processor: { readonly name: string; readonly driver: string; readonly model: string };
  /** The id of the paging policy. */
  readonly policy: string;
  /** Tokens of the next request. */
  readonly pressure: Tokens;
  /** Blocks that are part of the system message are counted with it. */
  readonly segments: Readonly<Record<'tools' | 'system' | 'blocks' | 'summary' | 'queue' | 'tail', Tokens>>;
  readonly pages: readonly PageEntry[];
  readonly blocks: readonly Block[];
  readonly summary: { readonly messages: number; readonly text: string; readonly facts: readonly string[] };
  /** Messages in recall storage, resident ones included. */
  readonly messages: number;
  readonly passages: number;
  /** Mapped, to be read in windows; by name. */
  readonly documents: readonly MappedDocument[];
  /** Of its turns. What was spent beside them is in `bills`, and in `spend`. */
  readonly counters: Counters;
  /** What it used and cost, by processor and embedder: turns, summaries, what came to nothing, `ask`, embeddings. */
  readonly bills: Bills;
  /** The sum of `bills`, in millionths of a dollar; what processes of before had no bills for included. */
  readonly spend: MicroDollars;
}

export interface PageEntry {
  readonly id: PageId;
  readonly kind: PageKind;
  readonly residency: Residency;
  readonly open: boolean;
  /** Stays in the queue until it is unpinned. */
  readonly pinned: boolean;
  readonly tokens: Tokens;
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
}

export function mapOf(
  record: ProcessRecord,
  state: ProcessState,
  config: MachineConfig,
  documents: readonly MappedDocument[],
  beside: Bills,
): MemoryMap {
  const { counts, lastSeq, collections, counters } = state.head;
  const { name = '', driver, model } = config.processor;
  const { summary } = state;
  const queue = state.pages.reduce((sum, page) => sum + pageTokens(page), 0);
  return {
    pid: record.pid,
    name: record.name,
    budget: budgetOf(config.processor, config.limits),
    processor: { name, driver, model },
    policy: config.policy,
    pressure: pressureOf(state),
    segments: {
      tools: calibrated(state, counts.tools ?? 0),
      system: calibrated(state, counts.system ?? 0),
      blocks: calibrated(state, counts.blocks ?? 0),
      summary: calibrated(state, summary?.tokens ?? 0),
      queue: calibrated(state, queue),
      tail: calibrated(state, counts.tail ?? 0),
    },
    pages: state.pages.map((page) => entryOf(state, page)),
    blocks: state.blocks,
    summary: {
      messages: summary?.messages ?? 0,
      text: summary?.text ?? '',
      facts: summary?.facts.map(({ text }) => text) ?? [],
    },
    messages: lastSeq,
    passages: collections.passages.documents,
    documents,
    counters,
    bills: mergeBills(state.head.bills ?? {}, beside),
    spend: (counters.spend ?? 0) + spendOfBills(beside),
  };
}

function entryOf(state: ProcessState, page: ResidentPage): PageEntry {
  return {
    id: page.id,
    kind: page.kind,
    residency: residencyOf(page),
    open: !page.sealed,
    pinned: isPinned(state, page.id),
    tokens: calibrated(state, pageTokens(page)),
    firstSeq: page.messages[0]?.seq ?? 0,
    lastSeq: page.messages.at(-1)?.seq ?? 0,
  };
}
