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
  const ranked = ranking(queue);
  let best: { readonly choice: Choice; readonly cost: number } | undefined;
  for (const cut of cutsOf(behind)) {
    const choice = behindCut(queue, ranked, cut, release);
    if (choice.released < release && cut > 0) continue;
    const stays = (behind[choice.first] ?? 0) - choice.released;
    const cost = choice.cost + rewriting * stays;
    if (!best || cost < best.cost) best = { choice, cost };
  }
  return best ? victimsOf(queue, ranked, best.choice) : [];
}

/** Places of those that may go, who is worth least for a token first. */
function ranking(queue: readonly Offer[]): number[] {
  const density = queue.map(({ worth, tokens }) => worth / Math.max(1, tokens));
  const places = queue.map((_, place) => place).filter((place) => queue[place]?.isEligible);
  return places.sort((a, b) => (density[a] ?? 0) - (density[b] ?? 0) || a - b);
}

interface Choice {
  readonly cut: number;
  /** So many of those in the ranking behind the cut go. */
  readonly count: number;
  readonly released: Tokens;
  readonly cost: number;
  /** The place of the first victim. */
  readonly first: number;
}

function behindCut(queue: readonly Offer[], ranked: readonly number[], cut: number, release: Tokens): Choice {
  let [count, released, cost, first] = [0, 0, 0, Infinity];
  for (const place of ranked) {
    const offer = queue[place];
    if (place < cut || !offer) continue;
    if (released >= release && offer.worth >= offer.rent) break;
    count++;
    released += offer.tokens;
    cost += offer.worth - offer.rent;
    if (place < first) first = place;
  }
  return { cut, count, released, cost, first };
}

function victimsOf(queue: readonly Offer[], ranked: readonly number[], { cut, count }: Choice): PageId[] {
  const behind = ranked.filter((place) => place >= cut).slice(0, count);
  return behind.flatMap((place) => queue[place]?.id ?? []);
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
