import type { Instant, Milliseconds } from '@pagefault/contracts';
import { formatDuration, formatNumber } from './format.js';
import { fitWidth } from './width.js';

export interface ProgressView {
  readonly label: string;
  readonly done: number;
  /** Unknown when absent: then there is no bar and no time left. */
  readonly total?: number;
  /** What is counted, in the plural: `messages`. */
  readonly unit: string;
  readonly elapsed: Milliseconds;
  /** Columns of the terminal. */
  readonly width: number;
}

const BAR_WIDTH = 24;

/** `feed  [########----------------]  33 %  920 / 2,760 messages  310/s  5.9 s left` */
export function renderProgress({ label, done, total, unit, elapsed, width }: ProgressView): string {
  const rate = elapsed > 0 ? done / (elapsed / 1000) : 0;
  const speed = `${formatNumber(rate, rate < 10 ? 1 : 0)}/s`;
  if (total === undefined) return fitWidth(`${label} ${formatNumber(done)} ${unit} ${speed}`, width);
  const counts = `${formatNumber(done)} / ${formatNumber(total)} ${unit}`;
  const left = done >= total ? `in ${formatDuration(elapsed)}` : timeLeft(total - done, rate);
  return fitWidth(`${label} ${renderBar(shareOf(done, total))} ${counts} ${speed} ${left}`, width);
}

function shareOf(done: number, total: number): number {
  return total <= 0 ? 1 : Math.min(1, done / total);
}

function renderBar(share: number): string {
  const filled = Math.floor(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} %`;
}

function timeLeft(rest: number, rate: number): string {
  return rate > 0 ? `${formatDuration((rest / rate) * 1000)} left` : '';
}

/** Where the bar is written: `process.stderr`, so that standard output holds only results. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly stream: ProgressStream;
  readonly label: string;
  readonly unit: string;
  readonly total?: number;
  readonly now: () => Instant;
}

export interface Progress {
  /** Tells how much is done by now; draws when enough time has passed. */
  update(done: number): void;
  /** Draws the last state and ends the line. Safe to call twice. */
  finish(): void;
}

/** Between two drawings: often enough for the eye, rare enough for a log file. */
const REDRAW: { readonly terminal: Milliseconds; readonly log: Milliseconds } = { terminal: 100, log: 5000 };
const DEFAULT_COLUMNS = 80;

/** A bar that redraws itself on a terminal; elsewhere a line every five seconds, and nothing for what is over sooner. */
export function createProgress({ stream, now, ...what }: ProgressOptions): Progress {
  const onTerminal = stream.isTTY === true;
  const start = now();
  let drawnAt = onTerminal ? Number.NEGATIVE_INFINITY : start;
  let done = 0;
  let isDrawn = false;
  let isFinished = false;

  const draw = (end: string) => {
    drawnAt = now();
    isDrawn = true;
    // One column stays free: a full line would wrap on some terminals.
    const width = onTerminal ? (stream.columns ?? DEFAULT_COLUMNS) - 1 : Number.POSITIVE_INFINITY;
    const text = renderProgress({ ...what, done, elapsed: drawnAt - start, width });
    stream.write(onTerminal ? `\r\u001b[2K${text}${end}` : `${text}\n`);
  };

  return {
    update(value) {
      done = value;
      if (!isFinished && now() - drawnAt >= (onTerminal ? REDRAW.terminal : REDRAW.log)) draw('');
    },
    finish() {
      if (!isFinished && (onTerminal || isDrawn)) draw('\n');
      isFinished = true;
    },
  };
}
