/**
 * JSON taken apart without being read, so that no number loses digits. Lenient at the end: small models forget the last
 * brackets, and an output limit cuts anywhere.
 */

const BETWEEN = /[\s,;]/;

/** Where the value ends that begins at `from`, white space and separators before it skipped; `from` when there is none. */
export function valueEnd(text: string, from: number): number {
  const start = skip(text, from);
  if (!/["{[\d\-tfn]/.test(text[start] ?? '')) return from;
  if (text[start] === '"') return stringEnd(text, start);
  if (text[start] !== '{' && text[start] !== '[') return start + scalarLength(text.slice(start));
  return bracketEnd(text, start);
}

/** The members of an object, each value as it was written. Undefined for what is none. */
export function membersOf(text: string): ReadonlyMap<string, string> | undefined {
  if (!text.startsWith('{')) return undefined;
  const members = new Map<string, string>();
  for (let at = skip(text, 1); text[at] === '"'; at = skip(text, at)) {
    const keyEnd = stringEnd(text, at);
    const colon = skip(text, keyEnd);
    if (text[colon] !== ':') break;
    const end = valueEnd(text, colon + 1);
    members.set(text.slice(at + 1, keyEnd - 1), text.slice(skip(text, colon + 1), end));
    if (end === colon + 1) break;
    at = end;
  }
  return members;
}

/** The elements of an array, each as it was written. */
export function elementsOf(text: string): readonly string[] {
  const elements: string[] = [];
  for (let at = 1, end = valueEnd(text, at); end > at; at = end, end = valueEnd(text, at))
    elements.push(text.slice(skip(text, at), end));
  return elements;
}

function skip(text: string, from: number): number {
  let at = from;
  while (BETWEEN.test(text[at] ?? '')) at++;
  return at;
}

function scalarLength(text: string): number {
  return /^[\w.+-]+/.exec(text)?.[0].length ?? 0;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function bracketEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at) - 1;
    else if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}
