/** The policy lab: paging policies studied in isolation, on traces of real runs. */
export { type Eviction, recordedEvictions, replay, type ReplayReport } from './replay.js';
export { compare, type LabReport } from './report.js';
export { readTrace, type Reclaim, type Step, type Trace } from './recorded-trace.js';
export {
  type BoundaryKind,
  FEWEST_NEEDS,
  type NeedKind,
  type TraceHeader,
  type TraceLine,
  type TracePageKind,
} from './trace/format.js';
export {
  boundaryOf,
  collectTrace,
  kindOf,
  needCounts,
  pageCount,
  type PagingTrace,
  stepCount,
} from './trace/paging-trace.js';
export { checkTrace, readTraceFile, traceProblems } from './trace/read.js';
export { sessionsOf, sessionStarts } from './trace/sessions.js';
export { traceSchema } from './trace/schema.js';
export { loadTrace, type LoadOptions, readSidecar, writeSidecar } from './trace/sidecar.js';
export { rankable, type Rankable, TraceCounter, type TraceSummary } from './trace/summary.js';
export { LITERATURE, type LiteratureName } from './demand/literature.js';
export { lruCurve } from './demand/lru-curve.js';
export { type MinOptions, simulateMin } from './demand/min.js';
export { intern, type PageKey, RequestLog, type Requests } from './demand/requests.js';
export { type DemandReport, simulateDemand } from './demand/simulate.js';
export { type Capacity, demandTable } from './demand/table.js';
export {
  CLASSIC_FORMATS,
  type ClassicFormat,
  type ClassicOptions,
  readClassic,
} from './importers/classic.js';
export { costOfCall, leastGap, stepsToRepay } from './cost/break-even.js';
export { findPricesInBook, PRICE_BOOK, type PricedModel } from './cost/price-book.js';
export { CACHE_RULES, type CacheRules, type CacheUse, PromptCache } from './cost/prompt-cache.js';
export {
  type BandedTally,
  dollars,
  inputEquivalents,
  NO_TOKENS,
  type PriceRatios,
  ratiosOf,
  type TokenTally,
} from './cost/tally.js';
export { Prompt } from './paging/prompt.js';
export {
  billed,
  faultRate,
  meanTokens,
  prefetchCoverage,
  prefetchPrecision,
  type PagingEvent,
  type PagingReport,
  whole,
} from './paging/report.js';
export {
  CONTEXTS,
  type Contexts,
  type Masking,
  PAGING_DEFAULTS,
  type PagingSetup,
  pagingSetup,
  type Placement,
  PLACEMENTS,
  type Prefetch,
  PREFETCHES,
  type Remains,
} from './paging/setup.js';
export { simulatePaging, type SimulationOptions } from './paging/simulate.js';
export {
  type Contestant,
  isScheme,
  ownOf,
  type Scheme,
  type SchemeSetup,
  simulate,
} from './schemes/scheme.js';
export { findScheme, SCHEMES } from './schemes/registry.js';
export { importTrace } from './importers/join.js';
export { detect, TRACE_SOURCES, traceSource } from './importers/registry.js';
export {
  CHARACTERS_BY_FOUR,
  type ImportOptions,
  type Skipped,
  sha256Of,
  type Tokenizer,
  type TraceSource,
} from './importers/source.js';
export { filesOf } from './importers/files.js';
export type { Effort } from './bounds/carried.js';
export {
  type BoundedSetup,
  contextBounds,
  leastFaultCost,
  leastRates,
  lowerBounds,
  type LowerBounds,
} from './bounds/lower-bounds.js';
export {
  type BoundSoFar,
  boundSoFar,
  type LeastRequests,
  leastRequests,
  stepsToBound,
} from './bounds/so-far.js';
export { farthestNeed, type FarthestNeedOptions } from './bounds/farthest-need.js';
export {
  type BudgetChoice,
  budgetChoice,
  budgetChoices,
  type Budgets,
  budgetsFor,
  tokensOf,
  largestSession,
  wholeOf,
} from './run/budgets.js';
export { FORESIGHT, FORESIGHT_NAMES, type GridRow, isForesight, runCell } from './run/cell.js';
export { type AuditOptions, auditRows, auditStudy } from './run/audit.js';
export { type Comparison, compareStudy } from './run/compare.js';
export { type ComparedTrace, sessionFigures } from './run/paired.js';
export { signTest } from './run/sign-test.js';
export { stepRows, type TimelineBounds, timelineStudy } from './run/timeline.js';
export { costStudy, paretoFront } from './run/cost.js';
export { equalFaultsTable } from './run/equal-faults.js';
export { costAt, type Crossing, crossings, type Line, type Placed, rankingAt } from './run/crossings.js';
export { curveStudy } from './run/curve.js';
export { type Experiment } from './run/experiment.js';
export { factsOf, type TraceFacts } from './run/facts.js';
export { BOUND_NAME, type BoundFigures, type Figures, figuresOf } from './run/figures.js';
export { type GridOptions, runGrid } from './run/grid.js';
export { runStudy } from './run/run.js';
export { type Study } from './run/study.js';
export { type Column, csvOf, type Row, shown, type Table, type Unit, type Value } from './run/table.js';
export { sweepStudy } from './run/sweep.js';
export { lineOf, type SweepOptions, SWEPT_RATIOS } from './run/swept.js';
export type { Axis, Chart, Mark, Point, Role, Series } from './plots/chart.js';
export { svgFile } from './plots/svg.js';
export { pageOf } from './plots/page.js';
export {
  changesOf,
  differences,
  hashOf,
  type Manifest,
  MANIFEST_FILE,
  MANIFEST_VERSION,
  readManifest,
  tableHashes,
} from './run/manifest.js';
