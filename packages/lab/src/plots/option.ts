/** A chart as an option of the plotting library. Text and axes take the colour of the page, so that light and dark both do. */
import type { Axis, Chart, Mark, Series } from './chart.js';
import { BOUND_STYLE, PAGE, styleOf } from './style.js';

const WIDTH = 1_000;
const LEAST_HEIGHT = 560;
const TOP = 100;
/** For names and lines at the side. */
const LEGEND_WIDTH = 262;
const LINE_HEIGHT = 17;
const TEXT = { color: PAGE, fontFamily: 'sans-serif' } as const;
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
    grid: { left: 90, right: LEGEND_WIDTH + 18, top: TOP, bottom: 62 },
    legend: legendOf(chart),
    xAxis: { ...axisOf(x), nameLocation: 'middle' as const, nameGap: 34 },
    yAxis: { ...axisOf(y), nameLocation: 'middle' as const, nameGap: 66 },
    series: series.map((one, at) => seriesOption(one, series, at === 0 ? marks : [])),
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
    itemWidth: hasPoints ? 18 : 36,
    itemHeight: 10,
    itemGap: LINE_HEIGHT - 12,
    textStyle: { ...TEXT, fontSize: 12 },
    data: (ranked ? byHeight(series) : series).map((one) => {
      const { icon } = styleOf(one, series);
      return { name: one.name, ...(icon !== undefined && { icon }) };
    }),
  };
}

function byHeight(series: readonly Series[]): readonly Series[] {
  const mean = ({ points }: Series) => points.reduce((sum, [, y]) => sum + y, 0) / Math.max(1, points.length);
  return series.toSorted((a, b) => mean(b) - mean(a));
}

function axisOf({ title, unit, scale = 'linear', least, most }: Axis) {
  return {
    type: unit === 'text' ? ('category' as const) : scale === 'log' ? ('log' as const) : ('value' as const),
    name: title,
    nameTextStyle: { ...TEXT, fontSize: 13 },
    scale: true,
    ...(least !== undefined && { min: least }),
    ...(most !== undefined && { max: most }),
    axisLabel: { ...TEXT, hideOverlap: true, formatter: (value: number | string) => tick(value) },
    axisLine: { show: true, lineStyle: { color: PAGE, opacity: 0.6 } },
    axisTick: { lineStyle: { color: PAGE, opacity: 0.6 } },
    splitLine: { lineStyle: { color: PAGE, opacity: 0.13 } },
  };
}

/** `1.2M` for a million and more: axes have no room. */
function tick(value: number | string): string {
  if (typeof value === 'string') return value;
  return new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}

function seriesOption(one: Series, all: readonly Series[], marks: readonly Mark[]) {
  const { name, role, draw = 'line', points } = one;
  const style = styleOf(one, all);
  const lines = marks.length > 0 && { markLine: markLineOf(marks) };
  const shared = {
    silent: true,
    emphasis: { disabled: true },
    name,
    data: points.map((point) => [...point]),
    z: role === 'policy' ? 2 : 3,
    ...lines,
  };
  if (draw === 'bars') return { ...shared, type: 'bar' as const, itemStyle: { color: style.color } };
  if (draw === 'points')
    return {
      ...shared,
      type: 'scatter' as const,
      symbol: style.symbol,
      symbolSize: 8,
      itemStyle: { color: style.color },
    };
  return {
    ...shared,
    type: 'line' as const,
    symbol: style.symbol,
    symbolSize: style.symbolSize,
    showSymbol: points.length <= MOST_SYMBOLS,
    ...(draw === 'steps' && { step: 'end' as const }),
    lineStyle: { color: style.color, width: style.width, type: style.dash },
    itemStyle: { color: style.color },
    ...(role === 'bound' && { areaStyle: { color: PAGE, opacity: 0.08, origin: 'start' as const } }),
  };
}

function markLineOf(marks: readonly Mark[]) {
  return {
    silent: true,
    symbol: 'none',
    label: { ...TEXT, fontSize: 11, position: 'insideEndTop' as const, formatter: '{b}' },
    data: marks.map(({ name, axis, at, role }) => ({
      name,
      ...(axis === 'x' ? { xAxis: at } : { yAxis: at }),
      lineStyle: {
        color: PAGE,
        opacity: role === 'limit' ? 0.5 : 1,
        width: role === 'bound' ? BOUND_STYLE.width : 1,
        type: role === 'foresight' ? 'dashed' : 'solid',
      },
    })),
  };
}
