/** Lines of comma-separated requests: to disks (MSR Cambridge) and to caches of a web service (Twitter). */
import { PagefaultError } from '@pagefault/contracts';
import type { RequestLog } from '../demand/requests.js';
import type { Line } from './lines.js';

export const OPERATIONS = ['all', 'reads', 'writes'] as const;
export type Operations = (typeof OPERATIONS)[number];

export interface RowOptions {
  /** Bytes of a block. */
  readonly blockBytes: number;
  readonly operations: Operations;
  /** Whether sizes are kept. */
  readonly sizes: boolean;
}

/** A larger transfer is a slip of the file: as blocks it would fill the memory. */
const LARGEST_TRANSFER = 2 ** 30;

/**
 * Timestamp, Hostname, DiskNumber, Type, Offset, Size, ResponseTime (Narayanan et al. 2008): offset and size are bytes, and a
 * request is one for each block that it touches. The first volume's blocks go by their numbers alone.
 */
export function volumeReader({ blockBytes, operations }: RowOptions): (line: Line, log: RequestLog) => void {
  let first: string | undefined;
  return ({ text, number }, log) => {
    if (text.trim() === '' || isHeading(text, number)) return;
    const [, host = '', disk = '', type = '', offset = '', size = ''] = text.split(',');
    if (!/^\s*(?:read|write)\s*$/i.test(type)) throw wrong(number, 'Type', type, 'Read or Write');
    if (!isTaken(operations, /read/i.test(type))) return;
    const [from, bytes] = [byteCount(offset, number, 'Offset'), byteCount(size, number, 'Size')];
    if (bytes > LARGEST_TRANSFER) throw wrong(number, 'Size', size, `at most ${LARGEST_TRANSFER}`);
    const volume = `${host.trim()}.${disk.trim()}`;
    first ??= volume;
    const end = bytes === 0 ? 0 : Math.ceil((from + bytes) / blockBytes);
    for (let block = Math.floor(from / blockBytes); block < end; block++)
      log.add(volume === first ? block : `${volume}.${block}`);
  };
}

const READS: ReadonlySet<string> = new Set(['get', 'gets']);
const WRITES: ReadonlySet<string> = new Set([
  'set',
  'add',
  'replace',
  'cas',
  'append',
  'prepend',
  'incr',
  'decr',
]);

/**
 * timestamp, key, key size, value size, client id, operation, TTL (Yang et al. 2020): each is a request for its key, whose size is
 * that of key and value at its first request, so 0 for the value where that one missed. A deletion asks for nothing. When an
 * object expires is not seen: these caches here hold what they are asked for until it is evicted.
 */
export function cacheReader({ operations, sizes }: RowOptions): (line: Line, log: RequestLog) => void {
  return ({ text, number }, log) => {
    if (text.trim() === '' || isHeading(text, number)) return;
    const columns = text.split(',');
    // A key may have commas in it.
    const [keySize = '', valueSize = '', , operation = ''] = columns.slice(-5).map((one) => one.trim());
    if (columns.length < 7) throw wrong(number, 'operation', '', 'one of seven columns');
    if (operation === 'delete') return;
    const isRead = READS.has(operation);
    if (!isRead && !WRITES.has(operation))
      throw wrong(number, 'operation', operation, 'get, set or the like');
    const bytes = byteCount(keySize, number, 'key size') + byteCount(valueSize, number, 'value size');
    if (!isTaken(operations, isRead)) return;
    log.add(columns.slice(1, -5).join(','), sizes ? Math.max(1, bytes) : undefined);
  };
}

/** Which of the two a line is of. */
export function rowFormat(text: string): 'msr' | 'twitter' | undefined {
  const columns = text.split(',').map((one) => one.trim().toLowerCase());
  if (columns.length < 7) return undefined;
  if (/^(?:read|write|type)$/.test(columns[3] ?? '')) return 'msr';
  const operation = columns.at(-2) ?? '';
  return /^(?:operation|delete)$/.test(operation) || READS.has(operation) || WRITES.has(operation)
    ? 'twitter'
    : undefined;
}

const isHeading = (text: string, number: number) => number === 1 && /^\s*timestamp\b/i.test(text);

const isTaken = (operations: Operations, isRead: boolean) =>
  operations === 'all' || (operations === 'reads') === isRead;

function byteCount(text: string, line: number, column: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(line, column, text, 'a number of bytes');
}

function wrong(line: number, column: string, text: string, wanted: string): PagefaultError {
  const shown = JSON.stringify(text.slice(0, 40));
  return new PagefaultError('E_TRACE', `line ${line}, ${column}: ${shown} is not ${wanted}`, {
    hint: 'see that the file is whole, and the format the right one',
  });
}
