/**
 * Text rules of the kernel. Everything that comes in passes `normaliseText` before it is acknowledged,
 * so that any store can keep it and any provider can be sent it (field reports B01, B02, B03).
 */

/** Lone surrogates become U+FFFD, NUL goes; nothing else changes. */
export function normaliseText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}

/** Whether there is anything to read: white space and format characters alone are nothing. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cf}]/u.test(text);
}

/** Number of code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    if (!isLowHalf(text, index)) count++;
  }
  return count;
}

/** The text from code point `from` up to, not including, `to`. */
export function sliceCodePoints(text: string, from: number, to: number): string {
  const start = unitIndex(text, from, 0, 0);
  return text.slice(start, unitIndex(text, to, from, start));
}

/** The last `count` code points. */
export function lastCodePoints(text: string, count: number): string {
  let start = text.length;
  for (let left = count; left > 0 && start > 0; left--) start -= isLowHalf(text, start - 1) ? 2 : 1;
  return text.slice(start);
}

/** 1234567 as `1,234,567`, the same in every locale. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A short, stable fingerprint (FNV-1a over UTF-16, two lanes): for telling equal from changed, not for security. */
export function fingerprint(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b) ^ (second >>> 13);
  }
  return (first >>> 0).toString(16).padStart(8, '0') + (second >>> 0).toString(16).padStart(8, '0');
}

function unitIndex(text: string, codePoint: number, fromPoint: number, fromUnit: number): number {
  let unit = fromUnit;
  for (let point = fromPoint; point < codePoint && unit < text.length; point++) {
    unit += isHighHalf(text, unit) ? 2 : 1;
  }
  return unit;
}

function isHighHalf(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && isLowHalf(text, index + 1);
}

function isLowHalf(text: string, index: number): boolean {
  const previous = text.charCodeAt(index - 1);
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (previous & 0xfc00) === 0xd800;
}
