/** What a simulation counts as it goes, as in its report. */
export const noCounts = () => ({
  needs: 0,
  faults: 0,
  softFaults: 0,
  silentFaults: 0,
  lostFaults: 0,
  summaryHits: 0,
  stepsWithNeed: 0,
  stepsWithFault: 0,
  neededTokens: 0,
  faultedTokens: 0,
  pageIns: 0,
  pagedInTokens: 0,
  reclaims: 0,
  evictions: 0,
  refaults: 0,
  overflows: 0,
  peakTokens: 0,
  tokenSteps: 0,
});

/** Pages that left once at least, and those of them that were never needed again. */
export function evictedPages(leftAt: Int32Array, missed: Uint8Array) {
  let [evictedPages, deadPages] = [0, 0];
  for (let page = 0; page < leftAt.length; page++) {
    if ((leftAt[page] ?? -1) < 0) continue;
    evictedPages++;
    if (missed[page] === 0) deadPages++;
  }
  return { evictedPages, deadPages };
}
