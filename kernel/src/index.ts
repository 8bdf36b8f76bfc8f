/** The kernel of Pagefault. Start at `boot`; the core is exported for the lab and for tests. */
export { boot, type KernelOptions, type Resource } from './boot.js';
export { Bus, type EventName, type KernelEvents, type Listener } from './bus.js';
export { type Clock, createMint, type MintId, systemClock } from './clock.js';
export { type Budget, budgetOf } from './core/budget.js';
export type { Failure } from './core/events.js';
export type { Observation, ReclaimAsked } from './core/observation.js';
export type { Outcome, TurnResult } from './core/outcome.js';
export type { SearchHit, SearchRequest, SearchResults } from './core/search-results.js';
export type { Block, Counters } from './core/state.js';
export { codePoints, groupDigits, normaliseText, sliceCodePoints } from './core/text.js';
export { DEFAULT_LIMITS, type Limits, limitsSchema } from './limits.js';
export { fifo } from './policy/fifo.js';
export { lru } from './policy/lru.js';
export type { PagingPolicy, PolicyFactory, VictimQuery } from './policy/policy.js';
export { findPolicy, POLICIES, type PolicyName } from './policy/registry.js';
export { DEFAULT_BLOCKS, MEMGPT_PROGRAM } from './program.js';
export { Kernel, type NewBlock, type Program, type SpawnOptions } from './shell/kernel.js';
export type { MemoryMap, PageEntry } from './shell/memory-map.js';
export type { IncomingMessage } from './shell/messages.js';
export { type AppendReport, Process, type SendOptions } from './shell/process.js';
export {
  recordToFile,
  type RecordingHeader,
  type RecordingLine,
  type RecordingSink,
  requestHash,
} from './shell/recording.js';
export {
  parseLine as parseRecordingLine,
  rerun,
  type RerunOptions,
  type RerunReport,
} from './shell/rerun.js';
export type { ProcessRecord } from './shell/storage.js';
export { extractive } from './summariser/extractive.js';
export { recursive } from './summariser/recursive.js';
export type { Summariser } from './summariser/summariser.js';
export { defineTool, type Tool, type ToolContext } from './tool.js';
