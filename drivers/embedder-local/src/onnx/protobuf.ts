/** Just enough of the protocol-buffer wire format to write a model: integers, floats and nested bytes. */

/** Pieces of a message. They are joined once, at the end, so that big tensors are not copied at each level. */
export type Chunks = readonly Uint8Array[];

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/** An integer field; non-negative, up to 2^53. */
export function integer(field: number, value: number): Chunks {
  return [varint(field * 8 + VARINT), varint(value)];
}

/** A 64-bit integer field that may be negative (two's complement, as int64 wants it). */
export function signed(field: number, value: number): Chunks {
  return [varint(field * 8 + VARINT), varint(value < 0 ? BigInt.asUintN(64, BigInt(value)) : value)];
}

export function float(field: number, value: number): Chunks {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [varint(field * 8 + FIXED_32), bytes];
}

export function text(field: number, value: string): Chunks {
  return message(field, [new TextEncoder().encode(value)]);
}

/** A nested message, or raw bytes. */
export function message(field: number, ...parts: readonly Chunks[]): Chunks {
  const body = parts.flat();
  return [varint(field * 8 + LENGTH_DELIMITED), varint(size(body)), ...body];
}

export function join(chunks: Chunks): Uint8Array {
  const whole = new Uint8Array(size(chunks));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

function size(chunks: Chunks): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}

function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
