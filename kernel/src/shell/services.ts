import type { InferRequest, Instant, Pid, ProcessorDriver, RecallDriver, Tokens } from '@pagefault/contracts';
import type { Bus } from '../bus.js';
import type { Clock, MintId } from '../clock.js';
import type { NamedProcessors } from '../processor/named.js';
import type { Summariser } from '../summariser/summariser.js';
import type { BoundedCounts } from './turn/bounded-counts.js';
import type { Executor } from './turn/executor.js';
import type { Ledger } from './turn/ledger.js';
import type { Spending } from './turn/spending.js';
import type { SearchStack } from './search/searcher.js';

/** What all processes of one kernel share. */
export interface Services {
  readonly recall: RecallDriver;
  readonly processors: NamedProcessors;
  /** Of a process that runs on this processor. */
  summariserOf(processor: ProcessorDriver): Summariser;
  readonly spending: Spending;
  readonly ledger: Ledger;
  readonly bounded: BoundedCounts;
  readonly executor: Executor;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly mintId: MintId;
  /** The vector arm of search. */
  readonly searchStack: Omit<SearchStack, 'recall'>;
  wakeIndexer(): void;
  /** Where the next interrupt stands in its inbox: after all that came to this kernel before. */
  nextPlace(): string;
  /** A timer was set that is due then. */
  wakeScheduler(dueAt: Instant): void;
  /** Something may be waiting for the process: it is served in the background, if nothing holds it back. */
  serveSoon(pid: Pid): void;
  /** A moment to look what other kernels have posted to a process that this one holds. */
  leaseRenewed(pid: Pid): void;
  /** Something was taken out of the inbox of a process: what is served next is looked up again. */
  inboxChanged(pid: Pid): void;
  /** Sees each request as it is laid out. For evaluations and tests. */
  readonly onRequest?: ((pid: Pid, request: InferRequest, tokens: Tokens) => void) | undefined;
}

/** Without what the kernel itself does. */
export type KernelServices = Omit<Services, 'wakeScheduler' | 'serveSoon' | 'leaseRenewed' | 'inboxChanged'>;

/** Tokens of a bare text, as this processor counts a message with it. */
export async function countText(processor: ProcessorDriver, text: string): Promise<Tokens> {
  const message = { id: 'count', role: 'user', at: 0, parts: [{ type: 'text', text }] } as const;
  const [tokens] = await processor.count([{ kind: 'message', message }]);
  return tokens ?? 0;
}
