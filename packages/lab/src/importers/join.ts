/** Many files of one source as one trace: sessions in a row, numbered on, with the end of a session between them. */
import { createHash, randomBytes } from 'node:crypto';
import { PagefaultError } from '@pagefault/contracts';
import type { TraceHeader, TraceLine } from '../trace/format.js';
import { checkTrace } from '../trace/read.js';
import { MADE_SESSION_MS } from './builder.js';
import { sourceOf } from './registry.js';
import type { ImportOptions, TraceSource } from './source.js';

/**
 * Files or one file, as one trace that is checked. Files without a step leave nothing. Errors: as the source's `read`, naming
 * the importer that the file is for when that is another one; `E_CONFIG` without a file.
 */
export async function* importTrace(
  source: TraceSource,
  files: readonly string[],
  options: ImportOptions = {},
): AsyncGenerator<TraceLine> {
  if (files.length === 0)
    throw new PagefaultError('E_CONFIG', `${source.name} has no file to import`, { hint: source.reads });
  const shared = { salt: randomBytes(16).toString('hex'), seen: new Set<string>(), ...options };
  yield* checkTrace(numbered(joined(source, files, shared)));
}

async function* numbered(lines: AsyncIterable<TraceLine>) {
  let number = 0;
  for await (const value of lines) yield { value, number: ++number };
}

async function* joined(
  source: TraceSource,
  files: readonly string[],
  options: ImportOptions,
): AsyncGenerator<TraceLine> {
  const [first = ''] = files;
  if (files.length === 1) return yield* linesOf(source, first, options);
  yield await headerOfAll(source, files, options);
  const row = new Row();
  for (const file of files) {
    for await (const line of linesOf(source, file, options)) yield* row.take(line);
    row.next();
  }
}

/** A file of another source is a mistake that is told, unless it stands among many. */
async function* linesOf(
  source: TraceSource,
  file: string,
  options: ImportOptions,
): AsyncGenerator<TraceLine> {
  let count = 0;
  try {
    for await (const line of source.read(file, options)) {
      count++;
      yield line;
    }
  } catch (error) {
    throw (await misread(source, file, error)) ?? error;
  }
  const other = count <= 1 ? await otherSource(source, file) : undefined;
  if (other)
    options.onSkipped?.({ file, why: `there is nothing of ${source.name} in it: it is for ${other}` });
}

async function misread(source: TraceSource, file: string, cause: unknown): Promise<Error | undefined> {
  if (!PagefaultError.is(cause) || cause.code !== 'E_TRACE') return undefined;
  const other = await otherSource(source, file);
  if (other === undefined) return undefined;
  return new PagefaultError('E_TRACE', cause.message, { cause, hint: `it looks like a file for ${other}` });
}

async function otherSource(source: TraceSource, file: string): Promise<string | undefined> {
  const found = await sourceOf(file);
  return found === source ? undefined : found?.name;
}

/** Headers are read twice: the one of all stands first, and holds the hash of their hashes. */
async function headerOfAll(
  source: TraceSource,
  files: readonly string[],
  options: ImportOptions,
): Promise<TraceHeader> {
  const headers: TraceHeader[] = [];
  // Only the headers are asked for, so nothing is taken as seen.
  for (const file of files)
    for await (const line of source.read(file, { ...options, seen: new Set(), onSkipped: () => {} })) {
      if (line.type === 'header') headers.push(line);
      break;
    }
  const [one] = headers;
  if (!one) throw new PagefaultError('E_TRACE', `${source.name} gave no header`);
  const sha256 = createHash('sha256')
    .update(headers.map((header) => header.sha256 ?? '').join('\n'))
    .digest('hex');
  return { ...one, id: `${one.id}-and-${files.length - 1}-more`, sha256, schedule: schedule(one) };
}

function schedule({ schedule: own }: TraceHeader): string {
  return `${own === undefined ? '' : `${own}; `}files an hour apart`;
}

/** Shifts what a file says behind what the files before it said. */
class Row {
  /** Of the files before. */
  #pages = 0;
  #steps = 0;
  #time = 0;
  /** With this file. */
  #page = 0;
  #step = 0;
  #now = 0;
  #isBetween = false;

  next(): void {
    [this.#pages, this.#steps] = [this.#page, this.#step];
    this.#isBetween = this.#step > 0;
    this.#time = this.#isBetween ? this.#now + MADE_SESSION_MS : 0;
  }

  *take(line: TraceLine): Generator<TraceLine> {
    if (line.type === 'header') return;
    if (this.#isBetween) {
      this.#isBetween = false;
      yield { type: 'boundary', step: this.#step, kind: 'session_end' };
    }
    yield this.#shifted(line);
  }

  #shifted(line: Exclude<TraceLine, TraceHeader>): TraceLine {
    switch (line.type) {
      case 'page': {
        this.#page = this.#pages + line.id + 1;
        const parent = line.parent === undefined ? {} : { parent: line.parent + this.#pages };
        return { ...line, id: line.id + this.#pages, step: line.step + this.#steps, ...parent };
      }
      case 'step':
        this.#step = this.#steps + line.i + 1;
        this.#now = this.#time + line.ms;
        return {
          ...line,
          i: line.i + this.#steps,
          ms: this.#now,
          needs: line.needs.map((need) => ({ ...need, id: need.id + this.#pages })),
          ...(line.rank && { rank: line.rank.map((id) => id + this.#pages) }),
        };
      case 'supersede':
        return {
          ...line,
          step: line.step + this.#steps,
          old: line.old + this.#pages,
          new: line.new + this.#pages,
        };
      default:
        return { ...line, step: line.step + this.#steps };
    }
  }
}
