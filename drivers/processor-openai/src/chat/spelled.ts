/**
 * Calls that a model spelled out in its text. Servers that know a model's format read them out of what it writes; others hand
 * them on as text, and small models write them bare or in a fence even where the server would read another format. What is
 * read here is JSON that names a function that was offered: `<tool_call>{…}</tool_call>` anywhere, or a reply that begins with
 * such JSON, bare, in a fence, in a list, or behind `[TOOL_CALLS]` or `<|python_tag|>`.
 */
import type { HeardCall } from '@pagefault/driver-kit';
import { elementsOf, membersOf, valueEnd } from './raw-json.js';

export interface SpelledText {
  /** What of the text so far is certain to be no call, and was not given before. */
  push(delta: string): string;
  /** What was held back, as text. */
  release(): string;
  /** What was held back: calls, and what is none. */
  end(): { readonly text: string; readonly calls: readonly HeardCall[] };
}

const TAG = '<tool_call>';
const TAGGED = /<tool_call>\s*([^]*?)\s*(?:<\/tool_call>|(?=<tool_call>)|$)/g;
/** How a reply begins that may be a call; also as much of it as has come. */
const OPENING = /^\s*(?:[{[]|`{1,3}|<\|?p?)/;
const LEADS = /^\s*(?:\[TOOL_CALLS\]|<\|python_tag\|>)?\s*/;
const FENCE = /^```\w*\s*\n?([^]*?)(?:\n?\s*```|$)/;

/** `offered`: names of functions. Without any, all text is text. */
export function createSpelledText(offered: ReadonlySet<string>): SpelledText {
  let held = '';
  let isOpen = true; // Nothing but white space was given out so far.
  const release = (): string => {
    const rest = held;
    held = '';
    return rest;
  };
  return {
    release,
    push(delta) {
      held += delta;
      const safe = offered.size === 0 ? held.length : safeLength(held, isOpen);
      const given = held.slice(0, safe);
      held = held.slice(safe);
      if (given.trim() !== '') isOpen = false;
      return given;
    },
    end: () => readCalls(release(), offered),
  };
}

/** Characters that are no call, nor the beginning of one. */
function safeLength(text: string, isOpen: boolean): number {
  if (isOpen && (OPENING.test(text) || text.trim() === '')) return 0;
  const tag = text.indexOf(TAG);
  if (tag >= 0) return tag;
  for (let length = Math.min(TAG.length - 1, text.length); length > 0; length--)
    if (text.endsWith(TAG.slice(0, length))) return text.length - length;
  return text.length;
}

function readCalls(text: string, offered: ReadonlySet<string>): ReturnType<SpelledText['end']> {
  const isTagged = text.includes(TAG);
  const bodies = isTagged
    ? [...text.matchAll(TAGGED)].map(([, body = '']) => ({ json: body, rest: '' }))
    : [bareBody(text)];
  const found = bodies.map(({ json }) => callsOf(json, offered));
  const calls = found.flatMap((each) => each ?? []);
  if (calls.length === 0 || found.includes(undefined)) return { text, calls: [] };
  const rest = isTagged ? text.replace(TAGGED, '') : bodies.map((body) => body.rest).join('');
  return { text: rest.trim(), calls };
}

/** The JSON that a reply begins with, without what marks it as a call, and what follows it. */
function bareBody(text: string): { json: string; rest: string } {
  const body = text.replace(LEADS, '');
  const fence = FENCE.exec(body);
  if (fence) return { json: (fence[1] ?? '').trim(), rest: body.slice(fence[0].length) };
  let end = 0;
  // One value behind the other, as some models call several functions.
  for (let next = valueEnd(body, 0); next > end; next = valueEnd(body, end)) end = next;
  return { json: body.slice(0, end), rest: body.slice(end) };
}

/** Undefined when any of it is no call of an offered function. */
function callsOf(json: string, offered: ReadonlySet<string>): readonly HeardCall[] | undefined {
  const calls: HeardCall[] = [];
  for (let at = 0; at < json.trimEnd().length;) {
    const end = valueEnd(json, at);
    if (end <= at) return undefined;
    const value = json.slice(at, end).replace(/^[\s;,]+/, '');
    const found = (value.startsWith('[') ? elementsOf(value) : [value]).map((each) => callOf(each, offered));
    calls.push(...found.flatMap((call) => call ?? []));
    if (found.includes(undefined)) return undefined;
    at = end;
  }
  return calls;
}

/** `{name, arguments}`, with `parameters` as Llama has it, or in `{function: …}` as on the wire. */
function callOf(json: string, offered: ReadonlySet<string>): HeardCall | undefined {
  const members = membersOf(json);
  const inner = members?.get('function');
  if (inner?.startsWith('{')) return callOf(inner, offered);
  const name = textOf(members?.get('name') ?? inner);
  if (name === undefined || !offered.has(name)) return undefined;
  const written = members?.get('arguments') ?? members?.get('parameters') ?? '';
  // As on the wire, where the arguments are a text that holds JSON.
  return { name, arguments: textOf(written) ?? written };
}

function textOf(json: string | undefined): string | undefined {
  if (!json?.startsWith('"')) return undefined;
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined; // Cut off: no whole text.
  }
}
