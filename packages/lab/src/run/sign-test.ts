/**
 * How often a fair coin, thrown once for each difference, would come out as unevenly or more: exact, two-sided; nothing is
 * assumed of how large differences are. 1 where nothing differs. Source: Conover, Practical Nonparametric Statistics, 3.4.
 */
export function signTest(fewer: number, more: number): number {
  const [throws, least] = [fewer + more, Math.min(fewer, more)];
  let [logChoose, tail] = [0, 0];
  for (let heads = 0; heads <= least; heads++) {
    tail += Math.exp(logChoose - throws * Math.LN2);
    logChoose += Math.log(throws - heads) - Math.log(heads + 1);
  }
  return Math.min(1, 2 * tail);
}
