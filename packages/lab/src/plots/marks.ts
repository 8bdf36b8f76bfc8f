/** Lines across a chart, each with its name: beside one from side to side, above one from top to bottom. */
import type { Chart, Mark, Role } from './chart.js';
import { BOUND_STYLE, PAGE, TEXT } from './style.js';

export const MARK_HEIGHT = 14;
const FONT_SIZE = 11;
/** A guess at a letter's width: there is no browser to measure it. */
const LETTER = 6.2;
/** Names nearer to a side than this share of the width stand on the other side of their line. */
const NEAR_SIDE = 0.2;

export function markLineOf(chart: Chart, width: number) {
  const levels = placesOf(chart, width);
  return {
    silent: true,
    symbol: 'none',
    data: (chart.marks ?? []).map((mark, at) => ({
      name: mark.name,
      ...(mark.axis === 'x' ? { xAxis: mark.at } : { yAxis: mark.at }),
      label: { ...TEXT, fontSize: FONT_SIZE, formatter: '{b}', ...placeOf(mark, levels[at], chart) },
      lineStyle: lineOf(mark.role),
    })),
  };
}

function placeOf({ axis, at }: Mark, level: number | undefined, chart: Chart) {
  if (axis === 'y') return { position: 'insideEndTop' as const };
  const share = shareOf(at, chart);
  const align = share < NEAR_SIDE ? 'left' : share > 1 - NEAR_SIDE ? 'right' : 'center';
  return {
    position: 'end' as const,
    align: align as 'left' | 'right' | 'center',
    distance: 5 + (level ?? 0) * MARK_HEIGHT,
  };
}

function lineOf(role: Role | 'limit') {
  return {
    color: PAGE,
    opacity: role === 'limit' ? 0.5 : 1,
    width: role === 'bound' ? BOUND_STYLE.width : 1,
    type: role === 'foresight' ? ('dashed' as const) : ('solid' as const),
  };
}

/** How many lines of names stand above a chart. */
export function levelsOf(chart: Chart, width: number): number {
  return Math.max(0, ...placesOf(chart, width).map((level) => (level ?? -1) + 1));
}

/** From 0: the lowest line of names on which a name meets no other; none for those that stand elsewhere. */
function placesOf(chart: Chart, width: number): readonly (number | undefined)[] {
  const taken: (readonly [number, number])[][] = [];
  return (chart.marks ?? []).map(({ axis, at, name }) => {
    if (axis === 'y') return undefined;
    const [middle, reach] = [shareOf(at, chart) * width, name.length * LETTER];
    const own = [middle - reach, middle + reach] as const;
    const isFree = (names: readonly (readonly [number, number])[]) =>
      names.every(([from, to]) => own[1] < from || own[0] > to);
    const free = taken.findIndex(isFree);
    const level = free === -1 ? taken.length : free;
    (taken[level] ??= []).push(own);
    return level;
  });
}

/** From 0 at the left to 1 at the right. */
function shareOf(at: number, { x, series }: Chart): number {
  const all = series.flatMap(({ points }) => points.map(([value]) => value));
  const [least, most] = [x.least ?? Math.min(...all), x.most ?? Math.max(...all)];
  const place = (value: number) => (x.scale === 'log' ? Math.log(value) : value);
  return (place(at) - place(least)) / (place(most) - place(least));
}
