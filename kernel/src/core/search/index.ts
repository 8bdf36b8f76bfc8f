export { analyse, analyseText, documentTerms, type Analysis, type DocumentTerms } from './analysis.js';
export { rankInContext, type CollectionTotals, type RankInput } from './bm25.js';
export { candidates, type Candidates } from './candidates.js';
export { dateText } from './date.js';
export { digestOf } from './digest.js';
export { fuse } from './fusion.js';
export { planQuery, type QueryPlan } from './query.js';
export type { Ranked } from './ranked.js';
export { type Distinct, foldSame } from './same.js';
