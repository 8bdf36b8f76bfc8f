import type { Counters, MemoryMap } from '@pagefault/kernel';
import {
  type Colours,
  formatDollars,
  formatNumber,
  formatPercent,
  formatTable,
  printable,
} from '../../terminal/index.js';
import { bar, plainBar } from './bar.js';
import { renderBills } from './bills.js';

const BAR_WIDTH = 32;
const SEGMENTS = ['tools', 'system', 'blocks', 'summary', 'queue', 'tail'] as const;

/** How full main context is, and with what. */
export function renderSegments(map: MemoryMap, colours: Colours): string {
  const { tokens, window, reserve, margin } = map.budget;
  const share = tokens > 0 ? map.pressure / tokens : 0;
  const rows = SEGMENTS.map((name) => {
    const size = map.segments[name];
    return [name, plainBar(size / tokens, BAR_WIDTH), formatNumber(size), formatPercent(size / tokens)];
  });
  const total = ['pressure', bar(share, BAR_WIDTH), formatNumber(map.pressure), formatPercent(share)];
  const [titles = '', first = '', ...rest] = formatTable(
    [
      { title: 'segment' },
      { title: `of ${formatNumber(tokens)} tokens` },
      { title: 'tokens', align: 'right' },
      { title: '', align: 'right' },
    ],
    [total, ...rows],
  ).split('\n');
  const budget =
    `window ${formatNumber(window)} = budget ${formatNumber(tokens)}` +
    ` + reply ${formatNumber(reserve)} + margin ${formatNumber(margin)}`;
  return [colours.dim(titles), pressureColour(share, colours)(first), ...rest, colours.dim(budget)].join(
    '\n',
  );
}

// The paper's thresholds: a warning at 70 %, a flush at 100 %.
function pressureColour(share: number, colours: Colours): (text: string) => string {
  if (share >= 1) return colours.red;
  return share >= 0.7 ? colours.yellow : colours.green;
}

const COUNTER_NAMES: readonly (readonly [keyof Counters, string])[] = [
  ['turns', 'turns'],
  ['cycles', 'model calls'],
  ['warnings', 'pressure warnings'],
  ['flushes', 'flushes'],
  ['evicted', 'pages evicted'],
  ['stubs', 'parts cut to a stub'],
  ['needs', 'pages needed'],
  ['faults', 'page faults'],
  ['input', 'tokens read'],
  ['cached', 'tokens read from the cache'],
  ['output', 'tokens written'],
];

/** What the process did so far. */
export function renderCounters(map: MemoryMap, colours: Colours): string {
  const rows = [
    ['messages', formatNumber(map.messages)],
    ['passages', formatNumber(map.passages)],
    ...COUNTER_NAMES.map(([key, name]) => [name, formatNumber(map.counters[key] ?? 0)]),
    ['spent', map.spend > 0 ? formatDollars(map.spend) : formatDollars(undefined)],
  ];
  const [titles = '', ...lines] = formatTable(
    [{ title: 'so far' }, { title: '', align: 'right' }],
    rows,
  ).split('\n');
  const bills = Object.keys(map.bills).length === 0 ? [] : ['', renderBills(map.bills)];
  return [colours.dim(titles), ...lines, ...bills].join('\n');
}

/** What the process has in view beside the messages: blocks, summary, facts. */
export function renderBlocks(map: MemoryMap, colours: Colours): string {
  const blocks = map.blocks.map(({ name, value, limit, readOnly }) => {
    const size = `${formatNumber([...value].length)} of ${formatNumber(limit)} characters`;
    return section(`${colours.bold(name)} ${colours.dim(`${size}${readOnly ? ', read-only' : ''}`)}`, value);
  });
  const { messages, text, facts } = map.summary;
  const summary = `${colours.bold('summary')} ${colours.dim(`of ${formatNumber(messages)} messages`)}`;
  const shown =
    facts.length === 0 ? [] : [section(colours.bold('facts'), facts.map((fact) => `- ${fact}`).join('\n'))];
  return [...blocks, section(summary, text), ...shown].join('\n');
}

function section(title: string, text: string): string {
  const lines = text.trim() === '' ? ['(empty)'] : printable(text).trim().split('\n');
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}
