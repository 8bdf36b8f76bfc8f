import type { PageId, Tokens } from '@pagefault/contracts';

/** A page of the queue, in the order in which they stand in the request. */
export interface Offer {
  readonly id: PageId;
  readonly tokens: Tokens;
  readonly isEligible: boolean;
  /** What its absence is expected to cost until the next reclaim. */
  readonly worth: number;
  /** What its presence costs until then: it is read at each request. */
  readonly rent: number;
}

/** Places tried for the first victim: each a 32nd of the queue. More find little that is cheaper. */
const CUTS = 32;

/**
 * Victims that cost least: their worth less their rent, and the rewriting of all that stays behind the first of them. Behind
 * a cut those go that are worth least for a token, as many as the release needs, and then whoever is not worth its rent.
 * All that are eligible, when even they are too few.
 */
export function cheapestVictims(queue: readonly Offer[], release: Tokens, rewriting: number): PageId[] {
  const behind = suffixes(queue);
  const ranked = [...queue.entries()]
    .filter(([, { isEligible }]) => isEligible)
    .toSorted(([, a], [, b]) => a.worth * b.tokens - b.worth * a.tokens);
  let best: { readonly ids: PageId[]; readonly cost: number } | undefined;
  for (const cut of cutsOf(behind)) {
    const choice = behindCut(ranked, cut, release);
    if (choice.released < release && cut > 0) continue;
    const stays = (behind[choice.first] ?? 0) - choice.released;
    const cost = choice.cost + rewriting * stays;
    if (!best || cost < best.cost) best = { ids: choice.ids, cost };
  }
  return best?.ids ?? [];
}

function behindCut(ranked: readonly (readonly [number, Offer])[], cut: number, release: Tokens) {
  const ids: PageId[] = [];
  let [released, cost, first] = [0, 0, Infinity];
  for (const [place, { id, tokens, worth, rent }] of ranked) {
    if (place < cut) continue;
    if (released >= release && worth >= rent) break;
    ids.push(id);
    released += tokens;
    cost += worth - rent;
    first = Math.min(first, place);
  }
  return { ids, released, cost, first };
}

/** Tokens from each place on. */
function suffixes(queue: readonly Offer[]): Tokens[] {
  const sums: Tokens[] = Array.from({ length: queue.length + 1 }, () => 0);
  for (let at = queue.length - 1; at >= 0; at--) sums[at] = (sums[at + 1] ?? 0) + (queue[at]?.tokens ?? 0);
  return sums;
}

function cutsOf(behind: readonly Tokens[]): Set<number> {
  const all = behind[0] ?? 0;
  const cuts = new Set([0]);
  let place = 0;
  for (let cut = 1; cut < CUTS; cut++) {
    while (place < behind.length - 2 && all - (behind[place] ?? 0) < (all * cut) / CUTS) place++;
    cuts.add(place);
  }
  return cuts;
}
