/** The policy lab: paging policies studied in isolation, on traces of real runs. */
export { type Eviction, recordedEvictions, replay, type ReplayReport } from './replay.js';
export { compare, type LabReport } from './report.js';
export { readTrace, type Reclaim, type Step, type Trace } from './trace.js';
