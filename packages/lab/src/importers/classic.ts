/**
 * Traces of the caching literature. They say what was requested, not why: a need is a request, annotated by nobody, and a
 * first touch is a miss.
 */
import { basename } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import { type Requests, RequestLog } from '../demand/requests.js';
import {
  cacheReader,
  OPERATIONS,
  type Operations,
  rowFormat,
  type RowOptions,
  volumeReader,
} from './classic-csv.js';
import { type Line, readBytes, readLines } from './lines.js';

export const CLASSIC_FORMATS = {
  lirs: 'a block a line; lines with * are checkpoints (LIRS authors, .trace)',
  arc: 'start, count, two more: `count` requests for consecutive blocks (ARC authors, .lis)',
  'libcachesim-text': 'a page a line, any text (.txt)',
  'oracle-general':
    'records of 24 bytes: u32 time, u64 page, u32 size, i64 next request (libCacheSim, .oracleGeneral.bin)',
  msr: 'Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime: a request for each block touched (MSR Cambridge, .csv)',
  twitter: 'timestamp, key, key size, value size, client id, operation, TTL (Twitter cache traces)',
} as const;

export type ClassicFormat = keyof typeof CLASSIC_FORMATS;

export interface ClassicOptions {
  /** Left out: by the end of the file's name, before .gz or .zst; else by its first line, where that tells. */
  readonly format?: ClassicFormat;
  /** Whether sizes are kept, where the format has them; without, every page has size 1. Default true. */
  readonly sizes?: boolean;
  /** Of `msr`: bytes of a block. Default 512, the unit of its offsets. */
  readonly blockBytes?: number;
  /** Of `msr` and `twitter`: what is taken of them. Default all. */
  readonly operations?: Operations;
}

/** Bytes. */
const SECTOR = 512;

/** Errors: `E_NOT_FOUND`; `E_CONFIG` for a file that tells no format; `E_TRACE`, naming the line or record. */
export async function readClassic(file: string, options: ClassicOptions = {}): Promise<Requests> {
  const format = options.format ?? formatOf(file) ?? (await looksLike(file));
  if (format === undefined) throw untold(file);
  if (!Object.hasOwn(CLASSIC_FORMATS, format)) throw unknownFormat(format);
  try {
    return await readAs(format, file, options);
  } catch (error) {
    if (!PagefaultError.is(error) || error.code !== 'E_TRACE') throw error;
    const other = await looksLike(file);
    if (other === undefined || other === format) throw error;
    const hint = `it looks like the format ${other}`;
    throw new PagefaultError('E_TRACE', error.message, { cause: error, hint });
  }
}

async function readAs(format: ClassicFormat, file: string, options: ClassicOptions): Promise<Requests> {
  const [log, bytes, rows] = [new RequestLog(), readBytes(file), rowOptions(options)];
  if (format === 'oracle-general') await readRecords(bytes, log, rows.sizes);
  else {
    const take = {
      lirs: takeBlock,
      arc: takeRun,
      'libcachesim-text': takeText,
      msr: volumeReader(rows),
      twitter: cacheReader(rows),
    }[format];
    for await (const line of readLines(bytes)) take(line, log);
  }
  return log.requests();
}

function rowOptions({ blockBytes = SECTOR, operations = 'all', sizes = true }: ClassicOptions): RowOptions {
  if (!Number.isSafeInteger(blockBytes) || blockBytes < 1)
    throw new PagefaultError('E_CONFIG', `a block of ${blockBytes} bytes cannot be`, {
      hint: 'say a whole number, as 4096',
    });
  if (OPERATIONS.includes(operations)) return { blockBytes, operations, sizes };
  throw new PagefaultError('E_CONFIG', `no operations go by ${JSON.stringify(operations)}`, {
    hint: `known: ${OPERATIONS.join(', ')}`,
  });
}

const ENDS: readonly (readonly [string, ClassicFormat])[] = [
  ['.trace', 'lirs'],
  ['.lis', 'arc'],
  ['.oracleGeneral.bin', 'oracle-general'],
  ['.oracleGeneral', 'oracle-general'],
  ['.txt', 'libcachesim-text'],
];

function formatOf(file: string): ClassicFormat | undefined {
  const name = basename(file).replace(/\.(?:gz|zst)$/, '');
  return ENDS.find(([end]) => name.endsWith(end))?.[1];
}

/** By the first line that says something, where it can be told. */
async function looksLike(file: string): Promise<ClassicFormat | undefined> {
  for await (const { text } of readLines(readBytes(file))) if (text.trim() !== '') return rowFormat(text);
  return undefined;
}

function unknownFormat(format: string): PagefaultError {
  return new PagefaultError('E_CONFIG', `no format goes by ${JSON.stringify(format)}`, {
    hint: `known: ${Object.keys(CLASSIC_FORMATS).join(', ')}`,
  });
}

function untold(file: string): PagefaultError {
  return new PagefaultError('E_CONFIG', `neither name nor content of ${basename(file)} tells its format`, {
    hint: `say the format: ${Object.keys(CLASSIC_FORMATS).join(', ')}`,
  });
}

function takeBlock({ text, number }: Line, log: RequestLog): void {
  const block = text.trim();
  if (block === '' || block === '*') return;
  log.add(wholeNumber(block, number));
}

function takeRun({ text, number }: Line, log: RequestLog): void {
  if (text.trim() === '') return;
  const [start = '', count = ''] = text.trim().split(/\s+/);
  const first = wholeNumber(start, number);
  const blocks = wholeNumber(count, number);
  for (let block = first; block < first + blocks; block++) log.add(block);
}

function takeText({ text }: Line, log: RequestLog): void {
  const key = text.trim();
  if (key !== '') log.add(key);
}

function wholeNumber(text: string, line: number): number {
  const value = Number(text);
  if (text !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new PagefaultError('E_TRACE', `line ${line}: "${text.slice(0, 40)}" is not a block number`, {
    hint: 'see that the format is the right one',
  });
}

const RECORD_BYTES = 24;

async function readRecords(
  bytes: AsyncIterable<Uint8Array>,
  log: RequestLog,
  withSizes: boolean,
): Promise<void> {
  let rest = new Uint8Array();
  let records = 0;
  for await (const chunk of bytes) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = all.length - (all.length % RECORD_BYTES);
    const view = new DataView(all.buffer, all.byteOffset, whole);
    for (let at = 0; at < whole; at += RECORD_BYTES) takeRecord(view, at, log, withSizes);
    records += whole / RECORD_BYTES;
    rest = new Uint8Array(all.subarray(whole));
  }
  if (rest.length === 0) return;
  throw new PagefaultError('E_TRACE', `record ${records + 1} has ${rest.length} of ${RECORD_BYTES} bytes`, {
    hint: 'the file was cut off, or is of another format',
  });
}

function takeRecord(view: DataView, at: number, log: RequestLog, withSizes: boolean): void {
  const page = view.getBigUint64(at + 4, true);
  log.add(page, withSizes ? view.getUint32(at + 12, true) : undefined);
}
