/** Rows of the table in the binary format of PostgreSQL's COPY, with vectors as pgvector sends and receives them. */
import { type CheckedEntry, FLOAT4, VECTOR_HEAD, writeVector } from './vectors.js';

/** The columns of a row, in the order that is written here. */
export const COPY_COLUMNS = '(scope, id, embedding, at)';
const COLUMNS = 4;

// Signature, flags, and the length of an extension that there is not.
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0' + '\0'.repeat(8), 'latin1');
const TRAILER = -1;
/** Bytes of the number of columns, and of the length before each of them. */
const ROW_FRAME = 2 + 4 * COLUMNS;
const FLOAT8 = 8;

export function copyRows(scope: string, entries: readonly CheckedEntry[]): Uint8Array {
  const scopeBytes = Buffer.from(scope);
  const writer = new Writer(HEADER.length + 2 + sum(entries, (entry) => rowSize(scopeBytes, entry)));
  writer.bytes(HEADER);
  for (const { id, vector, length, at } of entries) {
    writer.int16(COLUMNS);
    writer.field(scopeBytes);
    writer.field(Buffer.from(id));
    writer.vector({ vector, length });
    writer.int32(FLOAT8);
    writer.float8(at);
  }
  writer.int16(TRAILER);
  return writer.done;
}

function rowSize(scope: Buffer, { id, vector }: CheckedEntry): number {
  const values = scope.length + Buffer.byteLength(id) + VECTOR_HEAD + FLOAT4 * vector.length + FLOAT8;
  return ROW_FRAME + values;
}

function sum<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}

class Writer {
  readonly done: Buffer;
  #at = 0;

  constructor(size: number) {
    this.done = Buffer.allocUnsafe(size);
  }

  int16(value: number): void {
    this.#at = this.done.writeInt16BE(value, this.#at);
  }

  int32(value: number): void {
    this.#at = this.done.writeInt32BE(value, this.#at);
  }

  float8(value: number): void {
    this.#at = this.done.writeDoubleBE(value, this.#at);
  }

  bytes(bytes: Buffer): void {
    this.#at += bytes.copy(this.done, this.#at);
  }

  field(bytes: Buffer): void {
    this.int32(bytes.length);
    this.bytes(bytes);
  }

  vector(entry: Pick<CheckedEntry, 'vector' | 'length'>): void {
    this.int32(VECTOR_HEAD + FLOAT4 * entry.vector.length);
    this.#at = writeVector(this.done, this.#at, entry);
  }
}
