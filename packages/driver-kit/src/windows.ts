import type { Tokens } from '@pagefault/contracts';
import { evenlySpaced } from './texts.js';

/** A piece of a text that one vector can stand for. */
export interface Window {
  readonly text: string;
  readonly tokens: Tokens;
}

export interface WindowLimits {
  readonly maxTokens: Tokens;
  readonly maxWindows: number;
  count(text: string): Tokens;
}

/** Code units that a token stands for at the least in most prose: a first guess, which counting corrects. */
const CHARACTERS_A_TOKEN = 3;

/**
 * A text in windows that fit, cut at white space where there is some near. Of a text that needs more than `maxWindows`
 * evenly spaced ones are taken, so that all its parts still count. None holds white space alone.
 */
export function windowsOf(text: string, limits: WindowLimits): Window[] {
  const windows = stretchesOf(text, limits).flatMap((stretch) => cut(stretch, limits));
  return evenlySpaced(windows, limits.maxWindows);
}

/** The whole text; of one that is too long to be counted whole, evenly spaced stretches of about a window. */
function stretchesOf(text: string, { maxTokens, maxWindows }: WindowLimits): string[] {
  const length = maxTokens * CHARACTERS_A_TOKEN;
  if (text.length <= length * maxWindows * 2) return [text];
  // White space goes first, so that no stretch is empty.
  const dense = text.replace(/\s+/gu, ' ').trim();
  if (dense.length <= length * maxWindows * 2) return [dense];
  const starts = Array.from({ length: Math.ceil(dense.length / length) }, (_, n) => n * length);
  return evenlySpaced(starts, maxWindows).map((start) =>
    dense.slice(wholeCharacter(dense, start), wholeCharacter(dense, start + length)),
  );
}

function cut(text: string, limits: WindowLimits): Window[] {
  const windows: Window[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const window = firstWindow(rest, limits);
    windows.push(window);
    rest = rest.slice(window.text.length).trimStart();
  }
  return windows;
}

function firstWindow(text: string, { maxTokens, count }: WindowLimits): Window {
  let end = Math.min(text.length, maxTokens * CHARACTERS_A_TOKEN * 2);
  for (;;) {
    const piece = text.slice(0, end);
    const tokens = count(piece);
    if (tokens <= maxTokens) return { text: piece, tokens };
    // Each round is shorter by a twentieth at least; one character is a window whatever it counts.
    const shorter = Math.floor(Math.min((end * maxTokens) / tokens, end * 0.95));
    if (shorter < 1) return { text: text.slice(0, wholeCharacter(text, 1)), tokens: maxTokens };
    end = atWhiteSpace(text, shorter);
  }
}

/** The last white space in the last fifth before `end`, else `end` itself, moved off the middle of a character. */
function atWhiteSpace(text: string, end: number): number {
  const near = Math.floor(end * 0.8);
  const space = text.slice(near, end).search(/\s\S*$/u);
  return space > 0 ? near + space : wholeCharacter(text, end);
}

/** Never between the two halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
