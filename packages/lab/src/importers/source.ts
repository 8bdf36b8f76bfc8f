/** What an importer is: it reads one kind of file, and says where its needs come from. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import type { z } from 'zod';
import { type NeedKind, TRACE_VERSION, type TraceHeader, type TraceLine } from '../trace/format.js';
import { type Line, readBytes, readLines } from './lines.js';

export interface Tokenizer {
  /** For the header of the trace. */
  readonly name: string;
  count(text: string): number;
}

/** What there is without a tokenizer: right within a fifth for English prose, too low for code and other scripts. */
export const CHARACTERS_BY_FOUR: Tokenizer = {
  name: 'characters/4',
  count: (text) => Math.ceil(text.length / 4),
};

export interface ImportOptions {
  /** Default `characters/4`. */
  readonly tokenizer?: Tokenizer;
  /** Which needs are taken, where a source has more than one kind; the first of its kinds by default. */
  readonly needs?: NeedKind;
  /** Whether names and ids of a private log become salted hashes. Default true. */
  readonly hashed?: boolean;
  /** Of those hashes; by default drawn anew for each import, so that nobody can try names against them. */
  readonly salt?: string;
  /** What becomes of the work that a session gave to others. Default `left-out`. */
  readonly sidechains?: 'left-out' | 'sessions';
  /** Told of each line that was passed over. */
  readonly onSkipped?: (skipped: Skipped) => void;
  /** Ids of lines that other files of the same import had: continued sessions hold those before them once more. */
  readonly seen?: Set<string>;
}

export interface Skipped {
  readonly file: string;
  readonly line?: number;
  readonly why: string;
}

/** The beginning of a file. */
export interface Sample {
  readonly name: string;
  /** The first line, as JSON; undefined when it is none. */
  readonly first: unknown;
  readonly text: string;
}

export interface TraceSource {
  readonly name: string;
  /** Which files. */
  readonly reads: string;
  /** What it can tell; the first is the default. None of a source that has sizes and times alone. */
  readonly needs: readonly NeedKind[];
  /** Where they come from, in a line. */
  readonly needsFrom: string;
  readonly licence: string;
  /** Names of its files, when a folder is given. */
  readonly files: RegExp;
  matches(sample: Sample): boolean;
  /** One file as one trace. Errors: `E_NOT_FOUND`, `E_TRACE`, `E_CONFIG` for a kind of need that it cannot tell. */
  read(file: string, options?: ImportOptions): AsyncGenerator<TraceLine>;
}

/** Undefined for a source that tells none. */
export function needKind(source: TraceSource, { needs }: ImportOptions): NeedKind | undefined {
  const kind = needs ?? source.needs[0];
  if (kind === undefined || source.needs.includes(kind)) return kind;
  throw new PagefaultError('E_CONFIG', `${source.name} tells no needs that are ${kind}`, {
    hint: `it tells: ${source.needs.join(', ') || 'none'}`,
  });
}

type Told = Pick<TraceHeader, 'clock'> &
  Partial<Pick<TraceHeader, 'id' | 'schedule' | 'sha256' | 'tokenizer'>>;

export async function headerOf(
  source: TraceSource,
  file: string,
  options: ImportOptions,
  told: Told,
): Promise<TraceHeader> {
  return {
    type: 'header',
    v: TRACE_VERSION,
    id: `${source.name}-${basename(file).replace(/\..*$/, '')}`,
    source: source.reads,
    licence: source.licence,
    tokenizer: (options.tokenizer ?? CHARACTERS_BY_FOUR).name,
    needKinds: [needKind(source, options)].filter((kind) => kind !== undefined),
    sha256: told.sha256 ?? (await sha256Of(file)),
    ...told,
  };
}

/** Of a file as it lies there, packed or not. With a salt it tells nothing to whoever guesses the content. */
export async function sha256Of(file: string, salt = ''): Promise<string> {
  const hash = createHash('sha256').update(salt);
  try {
    for await (const bytes of createReadStream(file)) hash.update(bytes as Uint8Array);
  } catch (cause) {
    throw new PagefaultError('E_NOT_FOUND', `${file} cannot be read`, { cause });
  }
  return hash.digest('hex');
}

export async function wholeText(file: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of readBytes(file)) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

export async function wholeJson(file: string): Promise<unknown> {
  const text = await wholeText(file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PagefaultError('E_TRACE', `${basename(file)} is not JSON`, { cause });
  }
}

/** Lines that hold something, as JSON of one shape. Errors: `E_TRACE`, naming line and field. */
export async function* shapedLines<S extends z.ZodType>(
  file: string,
  shape: S,
): AsyncGenerator<{ readonly value: z.output<S>; readonly number: number }> {
  for await (const line of readLines(readBytes(file))) {
    if (line.text.trim() === '') continue;
    yield {
      value: shaped(shape, jsonOf(line, file), `${basename(file)}, line ${line.number}`),
      number: line.number,
    };
  }
}

function jsonOf({ text, number }: Line, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PagefaultError('E_TRACE', `${basename(file)}, line ${number} is not JSON`, { cause });
  }
}

export function shaped<S extends z.ZodType>(shape: S, value: unknown, where: string): z.output<S> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PagefaultError('E_TRACE', `${where}, field ${issue?.path.join('.')}: ${issue?.message}`, {
    hint: 'see that the source is the right one',
  });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
