import type {
  Collection,
  Instant,
  Message,
  MicroDollars,
  PageId,
  PageKind,
  Pid,
  Residency,
  Seq,
  Tokens,
} from '@pagefault/contracts';
import type { Bills } from './bills.js';
import { type Counters, NO_COUNTERS } from './counters.js';
import type { CollectionTotals } from './search/index.js';

export { type Counters, NO_COUNTERS } from './counters.js';

/**
 * The state of a process: serialisable, immutable, bounded. It holds what is in main context and what
 * is under way; evicted pages are rows in recall. A token count that is `undefined` is not known yet,
 * and nothing is sent before all of them are.
 */
export interface ProcessState {
  readonly head: Head;
  readonly blocks: readonly Block[];
  /** Only under a layout that renders blocks at a reclaim. */
  readonly rendered?: Rendered;
  readonly summary?: Summary;
  /** The queue, oldest first. Only the last page may be open. */
  readonly pages: readonly ResidentPage[];
  readonly turn?: Turn;
}

/** Small facts that change at almost every step. */
export interface Head {
  readonly version: 1;
  readonly pid: Pid;
  readonly lastSeq: Seq;
  readonly lastPage: PageId;
  /** Which processor the counts belong to: another one recounts everything. */
  readonly countedFor: string;
  readonly counts: FixedCounts;
  /** Counts are multiplied by this many thousandths: raised when the provider reports more than was counted. */
  readonly calibration: number;
  /** True from the warning to the next flush. */
  readonly warned: boolean;
  readonly collections: Readonly<Record<Collection, CollectionTotals>>;
  /** Names of those who spoke, first come first, bounded. */
  readonly speakers: readonly string[];
  /**
   * How many notes about blocks left the queue when the blocks were rendered. What they said is in the prefix, so they
   * are not among the messages that are hidden. Left out while there were none.
   */
  readonly droppedNotes?: number;
  /** The name of the processor that it was put on. Left out: the stack's own. */
  readonly processor?: string;
  /** Left out while nothing was ever pinned. */
  readonly pins?: Pins;
  readonly counters: Counters;
  /** Left out while nothing was asked of a processor. */
  readonly bills?: Bills;
}

/** Pages that are never victims, in the order in which they were pinned. */
export interface Pins {
  readonly pages: readonly PageId[];
  /** The budget under which they were last found to keep within their limit. */
  readonly budget: Tokens;
}

export interface FixedCounts {
  readonly tools?: Tokens;
  readonly system?: Tokens;
  readonly tail?: Tokens;
  /** The blocks as they are sent, where they are a message of their own; and as they would be, rendered anew. */
  readonly blocks?: Tokens;
  readonly blocksAnew?: Tokens;
}

/** A named, size-limited piece of working context. */
export interface Block {
  readonly name: string;
  readonly value: string;
  /** Code points. */
  readonly limit: number;
  /** One more at each change, of whatever. An edit may name the version that it was made from. */
  readonly version: number;
  /** To the model; users may edit it. */
  readonly readOnly: boolean;
  /** None before the first edit, and none of a shared block: its owner has it. */
  readonly history?: BlockHistory;
  /** Set when this is the view of a shared block: its value, limit and version are the owner's. */
  readonly shared?: SharedLink;
}

/** How a process is attached to a shared block. */
export interface SharedLink {
  /** Of the shared block. */
  readonly id: string;
  /** True when the process calls it by a name of its own; else the name is the owner's. */
  readonly ownName?: true;
  /**
   * An edit of this page was made from this version, and refused because another came first. The other calls of the
   * page were written from that version too.
   */
  readonly stale?: { readonly page: PageId; readonly version: number };
}

/** Which values of a block are kept, by the version that brought each. The values are rows in recall. */
export interface BlockHistory {
  /** What the keys of its rows begin with. */
  readonly key: string;
  /** Oldest first. Those after `shown` were undone. */
  readonly versions: readonly number[];
  /** The one whose value the block has. */
  readonly shown: number;
}

/** What the model knows of the blocks from the prefix and from notes. Stored, so that a restart changes no byte. */
export interface Rendered {
  /** As it stands in the prefix. Empty without blocks. */
  readonly text: string;
  /** What others changed and no note has told yet. */
  readonly untold: readonly Untold[];
}

export interface Untold {
  /** The block's name now; the last one of a block that was removed. */
  readonly name: string;
  /** The block as the model knows it; none when it is new. */
  readonly before?: Block;
  /** Who changed it. */
  readonly by: readonly string[];
}

/** The recursive summary: one flat text, and the exact values that it must not paraphrase. */
export interface Summary {
  readonly text: string;
  readonly facts: readonly Fact[];
  /** How many messages it stands for, and the last of them. */
  readonly messages: number;
  readonly throughSeq: Seq;
  readonly tokens?: Tokens;
}

/** A value carried verbatim, with the words around it. */
export interface Fact {
  readonly text: string;
  readonly seq: Seq;
  /** The model itself said it: the first to go when room is short. */
  readonly own?: true;
}

export interface ResidentPage {
  readonly id: PageId;
  readonly kind: PageKind;
  readonly sealed: boolean;
  readonly messages: readonly ResidentMessage[];
  /** Sum over the messages; undefined while one is not counted. The queue is summed up at every step. */
  readonly tokens: Tokens | undefined;
}

/** The one way to make a page: all have the same shape, which matters where thousands are looked through. */
export function makePage({ id, kind, sealed, messages }: Omit<ResidentPage, 'tokens'>): ResidentPage {
  let tokens: Tokens | undefined = 0;
  for (const message of messages) {
    tokens = tokens === undefined || message.tokens === undefined ? undefined : tokens + message.tokens;
  }
  return { id, kind, sealed, messages, tokens };
}

export interface ResidentMessage {
  readonly seq: Seq;
  /** As it is shown: the original, or its stub. */
  readonly message: Message;
  readonly tokens?: Tokens;
  /** Set when it is shown as a stub. */
  readonly stub?: Stub;
}

export interface Stub {
  /** 1: head and tail with a handle. 2: the handle alone. */
  readonly level: 1 | 2;
  /** Code points of the original that are shown at level 1. */
  readonly shown: number;
}

/** The cycles from an interrupt to the yield. */
export interface Turn {
  readonly id: string;
  readonly interruptId: string;
  readonly startedAt: Instant;
  /** False for a transcript that is fed: the request is laid out, but no cycle runs. */
  readonly respond: boolean;
  readonly firstSeq: Seq;
  readonly cycle: number;
  readonly tokens: Tokens;
  /** As in the counters. */
  readonly spend?: MicroDollars;
  readonly answers: readonly string[];
  /**
   * How many answers there must be before the turn may stop by itself. Default 1: a user waits. 0 for a turn that nobody
   * waits for, of a timer for example.
   */
  readonly answersDue?: number;
  /** Ids of the interrupts that joined it on its way. */
  readonly steered?: readonly string[];
  /** A call of the open page asked for another cycle, or failed. */
  readonly heartbeat: boolean;
  readonly calls: readonly PastCall[];
  readonly truncations: number;
  readonly emptyReplies: number;
  /** Cycles in a row that needed a reclaim. */
  readonly reclaims: number;
  /** The provider found a request too long although it was counted to fit; forgiven once. */
  readonly overflowed: boolean;
  /** Reported over counted input, in thousandths: the largest of this turn, 0 while unknown. */
  readonly reportedRatio: number;
}

/** A call of this turn, by fingerprint, for the repeat breaker. */
export interface PastCall {
  readonly call: string;
  readonly result: string;
  readonly page: PageId;
  readonly times: number;
}

export interface NewProcess {
  readonly pid: Pid;
  readonly blocks: readonly Block[];
  readonly processor?: string | undefined;
}

export function createState(process: NewProcess): ProcessState {
  return {
    head: {
      version: 1,
      pid: process.pid,
      lastSeq: 0,
      lastPage: 0,
      countedFor: '',
      counts: {},
      calibration: 1000,
      warned: false,
      collections: { messages: { documents: 0, length: 0 }, passages: { documents: 0, length: 0 } },
      speakers: [],
      ...(process.processor !== undefined && { processor: process.processor }),
      counters: NO_COUNTERS,
    },
    blocks: inOrder(process.blocks),
    pages: [],
  };
}

/** In one order, however they were made or stored: the prefix must not change at a load. */
export function inOrder(blocks: readonly Block[]): readonly Block[] {
  return blocks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function residencyOf(page: ResidentPage): Residency {
  return page.messages.some((message) => message.stub) ? 'stub' : 'resident';
}

/** The page that still waits for results. */
export function openPage(state: ProcessState): ResidentPage | undefined {
  const last = state.pages.at(-1);
  return last && !last.sealed ? last : undefined;
}

export function addCounters(head: Head, delta: Partial<Counters>): Head {
  const counters: Record<string, number> = { ...head.counters };
  for (const [name, value] of Object.entries(delta)) counters[name] = (counters[name] ?? 0) + value;
  return { ...head, counters: counters as unknown as Counters };
}
