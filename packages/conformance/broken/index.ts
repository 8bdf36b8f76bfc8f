import type { ArchivalDriver, RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';
import { commitsHalf } from './commits-half.js';
import { filtersLate } from './filters-late.js';
import { firstWins } from './first-wins.js';
import { forgetsLastAppend } from './forgets-last-append.js';
import { ignoresAbort } from './ignores-abort.js';
import { ignoresCut } from './ignores-cut.js';
import { ignoresFence } from './ignores-fence.js';
import { ignoresScope } from './ignores-scope.js';
import { keepsPostings } from './keeps-postings.js';
import { keepsRemoved } from './keeps-removed.js';
import { leaksRows } from './leaks-rows.js';
import { ordersByClock } from './orders-by-clock.js';
import { listsByOffset } from './lists-by-offset.js';
import { overfillsPages } from './overfills-pages.js';
import { pagesByOffset } from './pages-by-offset.js';
import { roundsArguments } from './rounds-arguments.js';
import { scoresDistance } from './scores-distance.js';
import { stripsEscapes } from './strips-escapes.js';
import { versionStandsStill } from './version-stands-still.js';

export type { Broken } from './broken.js';
export { brokenEmbedders } from './embedder/index.js';
export { brokenProcessors } from './processor/index.js';
export { brokenRebuilds, createShelf, driverOn, type Shelf } from './rebuild/index.js';

export const brokenRecalls: readonly Broken<RecallDriver>[] = [
  forgetsLastAppend,
  commitsHalf,
  ignoresFence,
  leaksRows,
  ordersByClock,
  versionStandsStill,
  roundsArguments,
  stripsEscapes,
  pagesByOffset,
  overfillsPages,
  ignoresCut,
  ignoresAbort,
  keepsPostings,
];

export const brokenArchivals: readonly Broken<ArchivalDriver>[] = [
  scoresDistance,
  ignoresScope,
  filtersLate,
  keepsRemoved,
  firstWins,
  listsByOffset,
];
