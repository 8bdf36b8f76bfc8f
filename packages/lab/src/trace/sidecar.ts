/**
 * A trace as bytes that are read without parsing lines. They lie beside the trace, or in a cache folder, and belong to one
 * file: whatever does not fit (another file, another version, cut off, damaged) is refused, and made anew from the lines.
 *
 * magic, version, byte order, length | SHA-256 of the trace's file | CRC-32 of the body | body: JSON with the header and the
 * lengths, padded to 8, then the arrays, each padded to 8, in the order of `COLUMNS`.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import { sha256Of } from '../importers/source.js';
import { type TraceHeader, traceHeader, usageLine } from './format.js';
import { collectTrace, type PagingTrace } from './paging-trace.js';
import { readTraceFile } from './read.js';

const MAGIC = 0x50_46_54_52;
const VERSION = 3;
/** Read as another number where bytes stand the other way round. */
const ORDER = 0x01_02_03_04;
const HEAD_BYTES = 56;

const COLUMNS = {
  tokens: Int32Array,
  kinds: Uint8Array,
  pinned: Uint8Array,
  failed: Uint8Array,
  importance: Uint8Array,
  sessions: Int32Array,
  objects: Int32Array,
  bornStart: Int32Array,
  ownStart: Int32Array,
  times: Float64Array,
  replies: Int32Array,
  needStart: Int32Array,
  needs: Int32Array,
  needKinds: Uint8Array,
  supersededStart: Int32Array,
  superseded: Int32Array,
  boundaryStart: Int32Array,
  boundaries: Uint8Array,
  termCounts: Uint8Array,
  termValues: Int32Array,
  queryCounts: Uint8Array,
  queryValues: Int32Array,
  rankCounts: Int32Array,
  rankValues: Int32Array,
} as const;
type Name = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as Name[];

const description = z.object({
  header: traceHeader,
  usage: z.array(usageLine),
  lengths: z.array(z.int().min(0)).length(NAMES.length),
});

/** `sha256`: of the file that the trace was read from. */
export function writeSidecar(trace: PagingTrace, sha256: string): Uint8Array {
  const columns: Record<Name, ArrayBufferView & { readonly length: number }> = {
    ...trace,
    termCounts: Uint8Array.from(trace.terms, (one) => one.length),
    termValues: Int32Array.from(trace.terms.flat()),
    queryCounts: Uint8Array.from(trace.queries, (one) => one.length),
    queryValues: Int32Array.from(trace.queries.flat()),
    rankCounts: Int32Array.from(trace.ranks, (one) => one.length),
    rankValues: Int32Array.from(trace.ranks.flat()),
  };
  const lengths = NAMES.map((name) => columns[name].length);
  const told = Buffer.from(JSON.stringify({ header: trace.header, usage: trace.usage, lengths }));
  const arrays = NAMES.map((name) => bytesOf(columns[name]));
  const size = Buffer.alloc(8);
  size.writeUInt32LE(told.length);
  const body = Buffer.concat([size, ...[told, ...arrays].flatMap((one) => [one, padding(one.length)])]);
  return Buffer.concat([headOf(body, sha256), body]);
}

/** Errors: `E_TRACE` for what is no sidecar of this version, is of another file, or is not whole. */
export function readSidecar(bytes: Uint8Array, sha256: string): PagingTrace {
  const body = bodyOf(bytes, sha256);
  const size = Buffer.from(body.buffer, body.byteOffset, 8).readUInt32LE();
  let at = 8 + padded(size);
  const told = description.parse(JSON.parse(Buffer.from(body.slice(8, 8 + size)).toString('utf8')));
  const take = <A>(name: Name, make: (buffer: ArrayBuffer, at: number, length: number) => A): A => {
    const length = told.lengths[NAMES.indexOf(name)] ?? 0;
    const array = make(body.buffer as ArrayBuffer, body.byteOffset + at, length);
    at += padded(length * COLUMNS[name].BYTES_PER_ELEMENT);
    return array;
  };
  const integers = (name: Name) => take(name, (...place) => new Int32Array(...place));
  const small = (name: Name) => take(name, (...place) => new Uint8Array(...place));
  // In the order of `COLUMNS`: each begins where the one before it ends.
  return {
    header: told.header satisfies TraceHeader,
    tokens: integers('tokens'),
    kinds: small('kinds'),
    pinned: small('pinned'),
    failed: small('failed'),
    importance: small('importance'),
    sessions: integers('sessions'),
    objects: integers('objects'),
    bornStart: integers('bornStart'),
    ownStart: integers('ownStart'),
    times: take('times', (...place) => new Float64Array(...place)),
    replies: integers('replies'),
    needStart: integers('needStart'),
    needs: integers('needs'),
    needKinds: small('needKinds'),
    supersededStart: integers('supersededStart'),
    superseded: integers('superseded'),
    boundaryStart: integers('boundaryStart'),
    boundaries: small('boundaries'),
    terms: rows(small('termCounts'), integers('termValues')),
    queries: rows(small('queryCounts'), integers('queryValues')),
    ranks: rows(integers('rankCounts'), integers('rankValues')),
    usage: told.usage,
  };
}

function headOf(body: Uint8Array, sha256: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(MAGIC);
  head.writeUInt32LE(VERSION, 4);
  head.set(bytesOf(Uint32Array.of(ORDER)), 8);
  head.writeUInt32LE(body.length, 12);
  head.set(Buffer.from(sha256, 'hex'), 16);
  head.writeUInt32LE(crc32(body), 48);
  return head;
}

/** Copied, so that its arrays stand where typed arrays may stand. */
function bodyOf(bytes: Uint8Array, sha256: string): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES));
  if (head.length < HEAD_BYTES || head.readUInt32BE() !== MAGIC) throw refused('it is no sidecar of a trace');
  if (head.readUInt32LE(4) !== VERSION)
    throw refused(`it is of version ${head.readUInt32LE(4)}, not ${VERSION}`);
  if (!head.subarray(8, 12).equals(bytesOf(Uint32Array.of(ORDER))))
    throw refused('it was made where bytes stand the other way round');
  if (head.subarray(16, 48).toString('hex') !== sha256) throw refused('it is of another file');
  const body = new Uint8Array(bytes.subarray(HEAD_BYTES));
  if (body.length !== head.readUInt32LE(12))
    throw refused(`${body.length} of ${head.readUInt32LE(12)} bytes are there`);
  if (crc32(body) !== head.readUInt32LE(48)) throw refused('its bytes are damaged');
  return body;
}

function refused(why: string): PagefaultError {
  return new PagefaultError('E_TRACE', `the sidecar cannot be used: ${why}`, {
    hint: 'delete it; it is made anew',
  });
}

const padded = (length: number) => Math.ceil(length / 8) * 8;
const padding = (length: number) => Buffer.alloc(padded(length) - length);

function bytesOf(array: ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function rows(counts: Uint8Array | Int32Array, values: Int32Array): number[][] {
  let at = 0;
  return Array.from(counts, (count) => [...values.subarray(at, (at += count))]);
}

export interface LoadOptions {
  /** A folder for sidecars; `false` for none. Default: beside the trace. */
  readonly cache?: string | false;
}

/** A trace from its sidecar when that fits, else from its lines. Errors: as `readTraceFile`. */
export async function loadTrace(file: string, { cache }: LoadOptions = {}): Promise<PagingTrace> {
  if (cache === false) return collectTrace(readTraceFile(file));
  const sha256 = await sha256Of(file);
  const place = cache === undefined ? `${file}.bin` : join(cache, `${sha256}.bin`);
  const kept = await sidecarAt(place, sha256);
  if (kept) return kept;
  const trace = await collectTrace(readTraceFile(file));
  await keep(place, writeSidecar(trace, sha256));
  return trace;
}

async function sidecarAt(place: string, sha256: string): Promise<PagingTrace | undefined> {
  try {
    return readSidecar(await readFile(place), sha256);
  } catch {
    // Not there, or not fit: the lines are the truth, and are there.
    return undefined;
  }
}

/** Whole or not at all. A folder that cannot be written costs time at the next load, no more. */
async function keep(place: string, bytes: Uint8Array): Promise<void> {
  const draft = `${place}.${randomUUID()}`;
  try {
    await mkdir(dirname(place), { recursive: true });
    await writeFile(draft, bytes);
    await rename(draft, place);
  } catch {
    await rm(draft, { force: true }).catch(() => {}); // What could not be written is not there either.
  }
}
