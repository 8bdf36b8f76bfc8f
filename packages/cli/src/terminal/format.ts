import type { Milliseconds } from '@pagefault/contracts';

/** `1234567` as `1,234,567`. The same on every machine, whatever its language. */
export function formatNumber(value: number, decimals = 0): string {
  if (!Number.isFinite(value)) return '–';
  const [whole = '', fraction] = value.toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `0.9` as `90.0 %`. */
export function formatPercent(share: number): string {
  return `${formatNumber(share * 100, 1)} %`;
}

/** Of millionths: `1230000` as `$1.2300`, from ten dollars on with cents; what is not known as `–`. */
export function formatDollars(millionths: number | undefined): string {
  if (millionths === undefined) return '–';
  const dollars = millionths / 1_000_000;
  return `$${formatNumber(dollars, Math.abs(dollars) < 10 ? 4 : 2)}`;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The two largest units: `840 ms`, `3.2 s`, `4 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export function formatDuration(span: Milliseconds): string {
  if (!Number.isFinite(span)) return '–';
  if (span < 0) return `-${formatDuration(-span)}`;
  if (Math.round(span) < SECOND) return `${Math.round(span)} ms`;
  // 59.95 s would be shown as `60.0 s`.
  if (span < MINUTE - 50) return `${(span / SECOND).toFixed(1)} s`;
  const seconds = Math.round(span / SECOND) * SECOND;
  if (seconds < HOUR) return twoUnits(seconds, MINUTE, 'min', SECOND, 's');
  const minutes = Math.round(span / MINUTE) * MINUTE;
  if (minutes < DAY) return twoUnits(minutes, HOUR, 'h', MINUTE, 'min');
  return twoUnits(Math.round(span / HOUR) * HOUR, DAY, 'd', HOUR, 'h');
}

function twoUnits(span: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.round((span % large) / small);
  return `${Math.floor(span / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

const BYTE_UNITS = ['kB', 'MB', 'GB', 'TB'];

/** In powers of 1000: `512 B`, `1.5 kB`, `23 MB`. */
export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < 1000) return `${Math.round(bytes)} B`;
  let value = bytes;
  let unit = -1;
  // 999.95 would be shown as `1000.0`.
  while (Math.abs(value) >= 999.95 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  if (unit < 0) return `${(value / 1000).toFixed(1)} ${BYTE_UNITS[0]}`;
  return `${value.toFixed(Math.abs(value) < 9.95 ? 1 : 0)} ${BYTE_UNITS[unit]}`;
}
