import { PagefaultError, type Tokens } from '@pagefault/contracts';
import { boundariesOf, type Level, middleOf } from './boundaries.js';

export interface ChunkOptions {
  /** No chunk has more. At least 1. */
  readonly maxTokens: Tokens;
  /** About so much of a chunk's end is repeated at the start of the next. Less than half of `maxTokens`. Default 0. */
  readonly overlap?: Tokens;
  /** The counter of whoever will read the chunks. A part must never have more tokens than the whole. */
  readonly count: (text: string) => Tokens;
}

export interface Chunk {
  /** Exactly the text between `start` and `end`; it neither begins nor ends with white space. */
  readonly text: string;
  /** UTF-16 offsets in the whole text, half open. */
  readonly start: number;
  readonly end: number;
}

/** The smallest part that is moved as a whole. */
interface Atom {
  readonly start: number;
  readonly end: number;
  readonly tokens: Tokens;
  /** How good a place its start is for a cut. */
  readonly level: Level;
}

/**
 * Cuts a text into chunks at headings, else paragraphs, lines, sentences, words; between code points only where
 * nothing else is left. Whatever is not white space is in at least one chunk, and the chunks are in order.
 * Errors: `E_INVALID` for limits out of range, and when one character alone has more than `maxTokens`.
 */
export function chunkText(text: string, options: ChunkOptions): Chunk[] {
  checkOptions(options);
  const atoms = [...atomsOf(text, options)];
  const chunks: Chunk[] = [];
  let first = 0;
  let covered = 0;
  while (covered < atoms.length) {
    const next = fillChunk(text, atoms, first, covered, options);
    const chunk = trimmed(text, atoms[first]?.start ?? 0, atoms[next - 1]?.end ?? 0);
    append(chunks, chunk);
    covered = next;
    first = overlapStart(text, atoms, first, next, options);
  }
  return chunks;
}

// White space aside, a chunk after an overlap may hold nothing new, or all of the chunk before it.
function append(chunks: Chunk[], chunk: Chunk): void {
  const previous = chunks.at(-1);
  if (chunk.text === '' || chunk.end <= (previous?.end ?? 0)) return;
  if (chunk.start === previous?.start) chunks.pop();
  chunks.push(chunk);
}

function checkOptions({ maxTokens, overlap = 0 }: ChunkOptions): void {
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new PagefaultError('E_INVALID', `maxTokens is ${maxTokens}; it must be a whole number from 1`);
  }
  if (!Number.isInteger(overlap) || overlap < 0 || overlap * 2 >= maxTokens) {
    throw new PagefaultError(
      'E_INVALID',
      `overlap is ${overlap}; it must be from 0 to under half of maxTokens, ${maxTokens}`,
    );
  }
}

// Sentences; one that would fill more than a quarter of a chunk is halved until it does not, so that chunks fill up well.
function* atomsOf(text: string, options: ChunkOptions): Generator<Atom> {
  let start = 0;
  let level: Level = 0;
  for (const boundary of [...boundariesOf(text), { at: text.length, level: 0 as Level }]) {
    yield* halved(text, start, boundary.at, level, options);
    start = boundary.at;
    level = boundary.level;
  }
}

function* halved(
  text: string,
  start: number,
  end: number,
  level: Level,
  options: ChunkOptions,
): Generator<Atom> {
  if (start === end) return;
  const tokens = options.count(text.slice(start, end));
  const middle = middleOf(text, start, end);
  const single = middle <= start || middle >= end;
  if (tokens * 4 <= options.maxTokens || (single && tokens <= options.maxTokens)) {
    yield { start, end, tokens, level };
  } else if (single) {
    throw tooSmall(text.slice(start, end), tokens, options.maxTokens);
  } else {
    yield* halved(text, start, middle, level, options);
    yield* halved(text, middle, end, 4, options);
  }
}

function tooSmall(character: string, tokens: Tokens, maxTokens: Tokens): PagefaultError {
  return new PagefaultError(
    'E_INVALID',
    `the character "${character}" alone has ${tokens} tokens; maxTokens is ${maxTokens}`,
    { hint: 'raise maxTokens' },
  );
}

/** The index after the last atom of the chunk that begins at `first`. It is past `covered`. */
function fillChunk(
  text: string,
  atoms: readonly Atom[],
  first: number,
  covered: number,
  options: ChunkOptions,
): number {
  let next = Math.max(furthest(atoms, first, options.maxTokens), covered + 1);
  // Counts need not add up; what is counted in the end is the chunk as a whole.
  while (next > covered + 1 && !fits(text, atoms, first, next, options)) next -= 1;
  return next === atoms.length ? next : bestCut(atoms, first, covered, next, options.maxTokens);
}

function fits(
  text: string,
  atoms: readonly Atom[],
  first: number,
  next: number,
  { count, maxTokens }: ChunkOptions,
): boolean {
  return count(trimmed(text, atoms[first]?.start ?? 0, atoms[next - 1]?.end ?? 0).text) <= maxTokens;
}

function furthest(atoms: readonly Atom[], first: number, maxTokens: Tokens): number {
  let next = first;
  let sum = 0;
  for (let atom = atoms[next]; atom !== undefined && sum + atom.tokens <= maxTokens; atom = atoms[next]) {
    sum += atom.tokens;
    next += 1;
  }
  return next;
}

// The best place that leaves the chunk at least half full; of equals the last.
function bestCut(
  atoms: readonly Atom[],
  first: number,
  covered: number,
  limit: number,
  maxTokens: Tokens,
): number {
  let best = limit;
  let sum = 0;
  for (let cut = first + 1; cut <= limit; cut += 1) {
    sum += atoms[cut - 1]?.tokens ?? 0;
    const isAllowed = cut > covered && sum * 2 >= maxTokens;
    if (isAllowed && (atoms[cut]?.level ?? 0) <= (atoms[best]?.level ?? 0)) best = cut;
  }
  return best;
}

/** Where the next chunk begins: as far back as the overlap allows, but never so far that it could not go on. */
function overlapStart(
  text: string,
  atoms: readonly Atom[],
  first: number,
  next: number,
  options: ChunkOptions,
): number {
  let room = options.overlap ?? 0;
  let start = next;
  while (start - 1 > first && (atoms[start - 1]?.tokens ?? 0) <= room) {
    start -= 1;
    room -= atoms[start]?.tokens ?? 0;
  }
  while (start < next && !fits(text, atoms, start, next + 1, options)) start += 1;
  return start;
}

function trimmed(text: string, start: number, end: number): Chunk {
  const part = text.slice(start, end);
  const body = part.trim();
  const from = start + (part.length - part.trimStart().length);
  return { text: body, start: from, end: from + body.length };
}
