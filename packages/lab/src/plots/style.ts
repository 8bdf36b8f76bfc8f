/** How a line is told from others: policies by hue, then by dash; bounds by the colour of the text, thick. */
import type { Series } from './chart.js';

/** The colour of whatever page holds the chart. */
export const PAGE = 'currentColor';
export const TEXT = { color: PAGE, fontFamily: 'sans-serif' } as const;

/** Of middling lightness, readable on white and on black; from Okabe and Ito's palette for all kinds of sight, and between. */
const HUES = [
  '#0077c8',
  '#d55e00',
  '#009e73',
  '#cc4fa0',
  '#b8860b',
  '#7a5af0',
  '#e0453a',
  '#2a9fb8',
  '#6b8e23',
  '#a0705a',
] as const;
const DASHES = ['solid', [7, 4], [2, 3]] as const;
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'] as const;

export interface Style {
  readonly color: string;
  readonly dash: string | number[];
  readonly width: number;
  readonly symbol: string;
  readonly symbolSize: number;
  readonly opacity?: number;
  /** Beside the name; default as it is drawn. */
  readonly icon?: string;
}

export const BOUND_STYLE: Style = {
  color: PAGE,
  dash: 'solid',
  width: 3.5,
  symbol: 'none',
  symbolSize: 0,
  icon: 'path://M0,0h42v5h-42z',
};
const FORESIGHT_STYLES: readonly Style[] = [
  {
    ...BOUND_STYLE,
    dash: [9, 5],
    width: 2,
    symbol: 'circle',
    symbolSize: 0,
    icon: 'path://M0,0h11v2h-11zM15.5,0h11v2h-11zM31,0h11v2h-11z',
  },
  {
    ...BOUND_STYLE,
    dash: [2, 4],
    width: 2,
    symbol: 'diamond',
    icon: 'path://M0,0h4v2h-4zM12,0h4v2h-4zM25,0h4v2h-4zM38,0h4v2h-4z',
  },
];
const FRONT_STYLE: Style = { ...BOUND_STYLE, dash: [1, 3], width: 1.5, icon: 'path://M0,0h42v1h-42z' };

const LINE_ICONS = [
  'path://M0,0h42v2h-42z',
  'path://M0,0h10v2h-10zM16,0h10v2h-10zM32,0h10v2h-10z',
  'path://M0,0h3v2h-3zM8,0h3v2h-3zM16,0h3v2h-3zM24,0h3v2h-3zM32,0h3v2h-3zM39,0h3v2h-3z',
] as const;

/** A policy's line by itself, where no symbols are on it. */
export function lineIcon({ dash }: Style): string {
  return LINE_ICONS[DASHES.findIndex((one) => String(one) === String(dash))] ?? LINE_ICONS[0];
}

/** Of more points than this a line is thin, for it may go up and down at each. */
const MOST_PLAIN = 300;

export const isDense = ({ points }: Series): boolean => points.length > MOST_PLAIN;

/** The same series in the same company has the same style. */
export function styleOf(one: Series, all: readonly Series[]): Style {
  const style = plainStyleOf(one, all);
  if (!isDense(one)) return style;
  return one.role === 'policy' ? { ...style, width: 1.2 } : { ...style, width: 1, opacity: 0.7 };
}

function plainStyleOf(one: Series, all: readonly Series[]): Style {
  const at = all.filter(({ role }) => role === one.role).indexOf(one);
  switch (one.role) {
    case 'bound':
      return BOUND_STYLE;
    case 'front':
      return FRONT_STYLE;
    case 'foresight':
      return FORESIGHT_STYLES[at % FORESIGHT_STYLES.length] ?? BOUND_STYLE;
    case 'policy':
      return policyStyle(at);
  }
}

function policyStyle(at: number): Style {
  const dash = DASHES[Math.floor(at / HUES.length) % DASHES.length] ?? 'solid';
  return {
    color: HUES[at % HUES.length] ?? PAGE,
    dash: typeof dash === 'string' ? dash : [...dash],
    width: 2,
    symbol: SYMBOLS[at % SYMBOLS.length] ?? 'circle',
    symbolSize: 6,
  };
}
