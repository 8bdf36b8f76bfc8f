/** How a line is told from others: policies by hue, then by dash; bounds by the colour of the text, thick. */
import type { Series } from './chart.js';

/** The colour of whatever page holds the chart. */
export const PAGE = 'currentColor';

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
    icon: 'path://M0,0h11v2h-11zM15.5,0h11v2h-11zM31,0h11v2h-11z',
  },
  {
    ...BOUND_STYLE,
    dash: [2, 4],
    width: 2,
    icon: 'path://M0,0h4v2h-4zM12,0h4v2h-4zM25,0h4v2h-4zM38,0h4v2h-4z',
  },
];
const FRONT_STYLE: Style = { ...BOUND_STYLE, dash: [1, 3], width: 1.5, icon: 'path://M0,0h42v1h-42z' };

/** The same series in the same company has the same style. */
export function styleOf(one: Series, all: readonly Series[]): Style {
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
