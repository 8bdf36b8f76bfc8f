/** The kernel of Pagefault. Start at `boot`; the core is exported for the lab and for tests. */
export { boot, type KernelOptions, type Resource } from './boot.js';
export { Bus, type EventName, type KernelEvents, type Listener } from './bus.js';
export { type Clock, createMint, type MintId, systemClock } from './clock.js';
export type { Author, SharedView } from './core/block-edit.js';
export { type Budget, budgetOf } from './core/budget.js';
export type { Dialect } from './core/dialect/dialect.js';
export { type DialectName, DIALECTS, findDialect } from './core/dialect/registry.js';
export type { Layout } from './core/layout/layout.js';
export { findLayout, type LayoutName, LAYOUTS } from './core/layout/registry.js';
export type { NewBlock } from './core/new-block.js';
export { INTERRUPT_KINDS, type InterruptKind } from './core/interrupt-kind.js';
export type { Observation, ReclaimAsked } from './core/observation.js';
export { hintsOf, residentViews } from './core/page-view.js';
export { enough } from './core/reclaim.js';
export type { Failure, Outcome, TurnResult } from './core/outcome.js';
export type { SearchHit, SearchRequest, SearchResults } from './core/search-results.js';
export { type Block, type BlockHistory, type Counters, type SharedLink, NO_COUNTERS } from './core/state.js';
export { type Bills, type BillSum, mergeBills } from './core/bills.js';
export { checkZone, localStamp } from './core/zone.js';
export { codePoints, groupDigits, normaliseText, sliceCodePoints } from './core/text.js';
export { DEFAULT_LIMITS, type Limits, limitsSchema } from './limits.js';
export { fallback, type FallbackOptions } from './processor/fallback.js';
export { ageSize, type AgeSizeOptions } from './policy/age-size.js';
export { arc, type ArcOptions } from './policy/arc.js';
export { batchPrefix, type BatchPrefixOptions } from './policy/batch-prefix.js';
export { clearToolResults, type ClearToolResultsOptions } from './policy/clear-tool-results.js';
export { clock } from './policy/clock.js';
export { compaction } from './policy/compaction.js';
export { faultPin, type FaultPinOptions } from './policy/fault-pin.js';
export { fifo } from './policy/fifo.js';
export { lfu } from './policy/lfu.js';
export { lirs, type LirsOptions } from './policy/lirs.js';
export { lru } from './policy/lru.js';
export { mru } from './policy/mru.js';
export { needDensity, type NeedDensityOptions } from './policy/need-density.js';
export { random, type RandomOptions } from './policy/random.js';
export { recencyImportanceRelevance, type ScoreOptions } from './policy/recency-importance-relevance.js';
export { s3Fifo, type S3FifoOptions } from './policy/s3-fifo.js';
export { sieve } from './policy/sieve.js';
export { sinksWindow, type SinksWindowOptions } from './policy/sinks-window.js';
export { supersededFirst } from './policy/superseded-first.js';
export { twoQueue, type TwoQueueOptions } from './policy/two-queue.js';
export { wTinyLfu, type WTinyLfuOptions } from './policy/w-tiny-lfu.js';
export type { PagingPolicy, PolicyFactory, VictimQuery } from './policy/policy.js';
export { findPolicy, POLICIES, POLICY_SETTINGS, type PolicyName } from './policy/registry.js';
export { type PolicySettings, readPolicyName, usualSettings } from './policy/settings.js';
export { DEFAULT_BLOCKS, MEMGPT_PROGRAM, NATIVE_PROGRAM } from './program.js';
export type { ProcessControl } from './shell/processes/control.js';
export { type IndexCheckOptions, Kernel, type Program, type SpawnOptions } from './shell/kernel.js';
export type { ProcessInfo } from './shell/processes/listing.js';
export type { ServeOptions } from './shell/interrupts/service.js';
export type { CloseOptions } from './shell/stopping.js';
export type { MemoryMap, PageEntry } from './shell/memory-map.js';
export type { IncomingInterrupt, Receipt } from './shell/interrupts/incoming-interrupt.js';
export type { IncomingPassage } from './shell/memory/incoming-passage.js';
export type { IncomingDocument } from './shell/memory/documents.js';
export type { IncomingMessage, SendOptions, StopOptions } from './shell/messages.js';
export type { AppendReport } from './shell/memory/appending.js';
export type { ForkOptions } from './shell/processes/fork.js';
export { Process } from './shell/process.js';
export { countOwners, migrate, type MigratedOwner } from './shell/migration/migrate.js';
export {
  checkIndexes,
  type FormerScope,
  type IndexStores,
  type ProcessIndex,
} from './shell/search/index-check.js';
export type { ErasedCounts, ErasureReport } from './shell/erasure/report.js';
export type { ErasureTarget } from './shell/erasure/target.js';
export type { EraseOptions } from './shell/erasure/whole.js';
export { readRecording, type RecordingHeader, type RecordingLine } from './core/recording.js';
export {
  recordIntoFolder,
  recordToFile,
  type RecordingSink,
  type RecordingStore,
  requestHash,
} from './shell/recordings/recording.js';
export { rerun, type RerunOptions, type RerunReport } from './shell/recordings/rerun.js';
export type { ProcessRecord } from './shell/storage.js';
export type { BlockVersion } from './shell/blocks/block-versions.js';
export { type NewTimer, Timers } from './shell/interrupts/timers.js';
export type { EditOptions, UndoOptions } from './shell/blocks/edit-options.js';
export type { NewSharedBlock, SharedBlock } from './shell/blocks/shared-block.js';
export type { AttachOptions, WorkingContext } from './shell/blocks/working-context.js';
export { extractive } from './summariser/extractive.js';
export { recursive } from './summariser/recursive.js';
export type { Summariser } from './summariser/summariser.js';
export type { MappedDocument } from './syscall/syscall.js';
export { defineTool, type Tool, type ToolContext } from './tool.js';
export type { When } from './timer/request.js';
export type { Schedule } from './timer/schedule.js';
export type { Timer } from './timer/timer.js';
export { type VirtualClock, virtualClock } from './virtual-clock.js';
