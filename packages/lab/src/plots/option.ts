/** A chart as an option of the plotting library. Text and axes take the colour of the page, so that light and dark both do. */
import type { Axis, Chart, Point, Series } from './chart.js';
import { levelsOf, MARK_HEIGHT, markLineOf } from './marks.js';
import { isDense, lineIcon, PAGE, styleOf, TEXT } from './style.js';
import { tick } from './tick.js';

const WIDTH = 1_000;
const LEAST_HEIGHT = 560;
const TOP = 100;
/** For names and lines at the side. */
const LEGEND_WIDTH = 262;
const LINE_HEIGHT = 17;
const LEFT = 90;
const RIGHT = LEGEND_WIDTH + 18;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
/** Symbols on more points than this would hide the line. */
const MOST_SYMBOLS = 12;

/** As high as its names need. */
export function sizeOf({ series }: Pick<Chart, 'series'>) {
  return { width: WIDTH, height: Math.max(LEAST_HEIGHT, TOP + 40 + series.length * LINE_HEIGHT) };
}

export function optionOf(chart: Chart) {
  const { title, subtitle, x, y, series, marks = [] } = chart;
  return {
    animation: false,
    backgroundColor: 'transparent',
    title: {
      text: title,
      subtext: subtitle,
      left: 16,
      top: 10,
      textStyle: { ...TEXT, fontSize: 18 },
      // Letters are measured by a guess here, for there is no browser: wider fonts must fit too.
      subtextStyle: { ...TEXT, fontSize: 12, width: WIDTH - 180, overflow: 'break' as const },
    },
    grid: {
      left: LEFT,
      right: RIGHT,
      top: TOP + Math.max(0, levelsOf(chart, PLOT_WIDTH) - 1) * MARK_HEIGHT,
      bottom: 62,
    },
    legend: legendOf(chart),
    xAxis: { ...axisOf(x), nameLocation: 'middle' as const, nameGap: 34 },
    yAxis: { ...axisOf(y), nameLocation: 'middle' as const, nameGap: 66 },
    series: [
      ...series.map((one, at) => ({
        ...seriesOption(one, chart),
        ...(at === 0 && marks.length > 0 && { markLine: markLineOf(chart, PLOT_WIDTH) }),
      })),
      ...reachOf(chart),
    ],
  };
}

function legendOf({ series, ranked = false }: Chart) {
  const hasPoints = series.some(({ draw }) => draw === 'points');
  return {
    orient: 'vertical' as const,
    selectedMode: false,
    silent: true,
    emphasis: { disabled: true },
    left: WIDTH - LEGEND_WIDTH,
    top: TOP - 4,
    itemWidth: hasPoints ? 12 : 36,
    itemHeight: 10,
    itemGap: LINE_HEIGHT - 12,
    textStyle: { ...TEXT, fontSize: 12 },
    data: (ranked ? byHeight(series) : series).map((one) => {
      const icon = iconOf(one, series);
      return { name: one.name, ...(icon !== undefined && { icon }) };
    }),
  };
}

/** Default: a line with the symbol that is drawn on it, or the symbol. */
function iconOf(one: Series, all: readonly Series[]): string | undefined {
  if (one.draw === 'points') return undefined;
  const style = styleOf(one, all);
  return style.icon ?? (one.points.length > MOST_SYMBOLS ? lineIcon(style) : undefined);
}

function byHeight(series: readonly Series[]): readonly Series[] {
  const mean = ({ points }: Series) => points.reduce((sum, [, y]) => sum + y, 0) / Math.max(1, points.length);
  return series.toSorted((a, b) => mean(b) - mean(a));
}

function axisOf({ title, unit, scale = 'linear', least, most, ticks }: Axis) {
  const told = ticks && { customValues: [...ticks] };
  return {
    type: unit === 'text' ? ('category' as const) : scale === 'log' ? ('log' as const) : ('value' as const),
    name: title,
    nameTextStyle: { ...TEXT, fontSize: 13 },
    scale: true,
    ...(least !== undefined && { min: least }),
    ...(most !== undefined && { max: most }),
    // There is no half a step, nor half a session.
    ...(unit === 'count' && { minInterval: 1 }),
    axisLabel: {
      ...TEXT,
      hideOverlap: true,
      formatter: (value: number | string) => tick(value, unit),
      ...told,
    },
    axisLine: { show: true, lineStyle: { color: PAGE, opacity: 0.6 } },
    axisTick: { lineStyle: { color: PAGE, opacity: 0.6 }, ...told },
    splitLine: { lineStyle: { color: PAGE, opacity: 0.13 } },
  };
}

/** The library does not make room for lines across. */
function reachOf({ marks = [], series }: Chart) {
  const x = series[0]?.points[0]?.[0];
  const points = marks.flatMap(({ axis, at }): Point[] => (axis === 'y' && x !== undefined ? [[x, at]] : []));
  if (points.length === 0) return [];
  return [{ type: 'scatter' as const, silent: true, symbolSize: 0, data: points.map((point) => [...point]) }];
}

function seriesOption(one: Series, { series: all, x }: Chart) {
  const { name, role, draw = 'line', points } = one;
  const style = styleOf(one, all);
  const shared = {
    silent: true,
    emphasis: { disabled: true },
    name,
    data: points.map((point) => [...point]),
    // A bound may be met, and is broad: what meets it is seen before it. Of lines that go up and down a lot, policies are.
    z: role === 'policy' ? 2 : role === 'bound' || isDense(one) ? 1 : 3,
  };
  if (draw === 'bars') return { ...shared, type: 'bar' as const, itemStyle: { color: style.color } };
  if (draw === 'points')
    return {
      ...shared,
      type: 'scatter' as const,
      symbol: style.symbol,
      symbolSize: 8,
      // Hollow, on whatever page: the library's own hollow symbols are filled with white.
      itemStyle:
        role === 'policy'
          ? { color: style.color }
          : { color: 'transparent', borderColor: style.color, borderWidth: 1.5 },
    };
  return {
    ...shared,
    type: 'line' as const,
    ...symbolOf(one, all, x),
    ...(draw === 'steps' && { step: 'end' as const }),
    lineStyle: { color: style.color, width: style.width, type: style.dash, opacity: style.opacity },
    itemStyle: { color: style.color },
    ...(role === 'bound' && { areaStyle: { color: PAGE, opacity: 0.08, origin: 'start' as const } }),
  };
}

/** One value by itself has no line: what else would be a line alone is a dash, which begins at the axis if that is its place. */
function symbolOf(one: Series, all: readonly Series[], { least }: Axis) {
  const { symbol, symbolSize } = styleOf(one, all);
  const { points, role } = one;
  if (points.length === 1 && role !== 'policy')
    return {
      symbol: 'rect',
      symbolSize: [40, role === 'bound' ? 4 : 2],
      ...(points[0]?.[0] === least && { symbolOffset: ['50%', 0] }),
    };
  return points.length > MOST_SYMBOLS ? { symbol: 'none' } : { symbol, symbolSize, showSymbol: true };
}
