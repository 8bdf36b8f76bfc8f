/** What a function call may see: the process as it is now, and the store behind it. */
import { type Lineage, LATEST, type ProcessorDriver, type RecallDriver } from '@pagefault/contracts';
import type { Budget } from '../../core/budget.js';
import type { MachineConfig } from '../../core/config.js';
import { findLayout } from '../../core/layout/registry.js';
import { uncounted, withCounts } from '../../core/pressure.js';
import { roomForBlocks, roomPerResult } from '../../core/reclaim.js';
import type { ProcessState } from '../../core/state.js';
import { UTC } from '../../core/zone.js';
import type { CallContext } from '../../syscall/syscall.js';
import { listDocuments } from '../memory/documents.js';
import { readHandle } from './handles.js';
import { search } from '../search/searcher.js';
import { countText, type Services } from '../services.js';
import { findWhole } from '../interrupts/timer-past.js';
import { listTimers } from '../interrupts/timers.js';

export interface CallHost {
  readonly services: Services;
  readonly recall: RecallDriver;
  readonly lineage: Lineage;
  readonly config: MachineConfig;
  readonly processor: ProcessorDriver;
}

export function callContext(
  { services, recall, lineage, config, processor }: CallHost,
  state: ProcessState,
  budget: Budget,
  signal: AbortSignal,
): CallContext {
  const { limits, pid, zone = UTC } = config;
  const now = services.clock.now();
  const before = state.turn?.firstSeq ?? LATEST;
  const view = { lineage, head: state.head, before, pageSize: limits.searchPageSize, zone, now };
  return {
    now,
    zone,
    signal,
    limits,
    blocks: state.blocks,
    windowTokens: roomPerResult(state, config, budget),
    roomForBlocks: async () => roomForBlocks(await allCounted(processor, config, state), config, budget),
    mintId: services.mintId,
    count: (text) => countText(processor, text),
    search: (request) => search({ ...services.searchStack, recall }, view, request, signal),
    documents: () => listDocuments(recall, pid),
    readHandle: (handle) => readHandle(recall, lineage, handle),
    timers: () => listTimers(recall, pid),
    wholeTimer: (id) => findWhole(recall, pid, id),
  };
}

/** An edit of this very page may have changed what was counted. */
async function allCounted(
  processor: ProcessorDriver,
  config: MachineConfig,
  state: ProcessState,
): Promise<ProcessState> {
  const pieces = uncounted(state, config, findLayout(config.layout));
  if (pieces.length === 0) return state;
  const counts = await processor.count(pieces.map(({ piece }) => piece));
  return withCounts(
    state,
    Object.fromEntries(pieces.map(({ key }, at) => [key, Math.ceil(counts[at] ?? 0)])),
  );
}
