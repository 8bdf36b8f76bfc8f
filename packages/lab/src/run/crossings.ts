/**
 * Rankings against a price. What a run costs is linear in each ratio of prices, so a run is made once, and where two policies
 * change places follows exactly: where their lines cross.
 */
export interface Line {
  readonly name: string;
  /** What the ratio does not change. */
  readonly fixed: number;
  /** By how much the cost rises with the ratio. */
  readonly slope: number;
}

export interface Crossing {
  readonly at: number;
  /** The cheaper one below, which is the dearer one above. */
  readonly below: string;
  readonly above: string;
  /** Which place changes hands: 1 is that of the cheapest. */
  readonly place: number;
}

export interface Placed {
  readonly name: string;
  readonly cost: number;
  /** From 1; those that cost the same share one. */
  readonly place: number;
}

export const costAt = ({ fixed, slope }: Line, ratio: number): number => fixed + slope * ratio;

/** The cheapest first. */
export function rankingAt(lines: readonly Line[], ratio: number): readonly Placed[] {
  const costs = lines.map((line) => ({ name: line.name, cost: costAt(line, ratio) }));
  return costs
    .toSorted((a, b) => a.cost - b.cost)
    .map((one) => ({ ...one, place: 1 + costs.filter(({ cost }) => cost < one.cost).length }));
}

/** Every change of places between two ratios, ascending, the highest places first. */
export function crossings(lines: readonly Line[], from: number, to: number): readonly Crossing[] {
  const pairs = lines.flatMap((a, at) => lines.slice(at + 1).map((b) => [a, b] as const));
  return pairs
    .flatMap(([a, b]) => crossing(a, b, lines))
    .filter(({ at }) => at > from && at < to)
    .toSorted((a, b) => a.at - b.at || a.place - b.place);
}

function crossing(a: Line, b: Line, lines: readonly Line[]): readonly Crossing[] {
  if (a.slope === b.slope) return [];
  const at = (b.fixed - a.fixed) / (a.slope - b.slope);
  const [below, above] = a.slope > b.slope ? [a, b] : [b, a];
  const others = lines.filter((line) => line !== a && line !== b);
  const cost = costAt(below, at);
  const place = 1 + others.filter((line) => costAt(line, at) < cost).length;
  return [{ at, below: below.name, above: above.name, place }];
}
