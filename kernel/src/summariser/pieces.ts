/** Cuts text into pieces that fit a processor, by its own count: nothing is assumed of how dense the text is. */
import type { Tokens } from '@pagefault/contracts';

export type CountTexts = (texts: readonly string[]) => Promise<readonly Tokens[]>;

interface Counted {
  readonly text: string;
  readonly tokens: Tokens;
}

/** Neighbouring lines together, as many as fit; a line that alone is too long is cut up. */
export async function packLines(
  lines: readonly string[],
  room: Tokens,
  count: CountTexts,
): Promise<string[]> {
  const packed: string[] = [];
  let current: string[] = [];
  let used = 0;
  for (const { text, tokens } of await fitting(lines, room, count)) {
    if (used + tokens > room && current.length > 0) {
      packed.push(current.join('\n'));
      [current, used] = [[], 0];
    }
    current.push(text);
    used += tokens;
  }
  return current.length > 0 ? [...packed, current.join('\n')] : packed;
}

/** Each text, or what it must be cut into. */
async function fitting(texts: readonly string[], room: Tokens, count: CountTexts): Promise<Counted[]> {
  if (texts.length === 0) return [];
  const counts = await count(texts);
  const result: Counted[] = [];
  for (const [index, text] of texts.entries()) {
    const tokens = counts[index] ?? 0;
    const parts = tokens > room ? cut(text, Math.ceil((tokens * 1.2) / room)) : [];
    if (parts.length > 1) result.push(...(await fitting(parts, room, count)));
    else result.push({ text, tokens });
  }
  return result;
}

/** Into about equal parts; one that cannot be cut is given back whole. */
function cut(text: string, parts: number): string[] {
  const points = [...text];
  const size = Math.max(1, Math.ceil(points.length / parts));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size).join(''),
  );
}

/** The end of a text, as much as fits: what is newest stands last. */
export async function cutToFit(text: string, room: Tokens, count: CountTexts): Promise<string> {
  for (let points = [...text]; ; points = points.slice(Math.ceil(points.length / 4))) {
    const rest = points.join('');
    const [tokens = 0] = await count([rest]);
    if (tokens <= room || points.length <= 1) return rest;
  }
}
