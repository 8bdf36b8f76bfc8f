import { type ErrorCode, PagefaultError } from '@pagefault/contracts';
import { DRIVER_NAME } from './options.js';

/**
 * The vectors of an answer in the order of the texts, whatever order the server gave them in.
 * Errors: `E_DIMENSION`, `E_PROTOCOL` when one is missing, given twice or not usable.
 */
export function readVectors(answer: unknown, texts: number, dimension: number): Float32Array[] {
  const data = field(answer, 'data');
  if (!Array.isArray(data)) throw broken('the answer has no list "data"');
  if (data.length !== texts) throw broken(`${data.length} vectors came for ${texts} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: texts });
  for (const [place, datum] of data.entries()) {
    const index = indexOf(datum, place, texts);
    if (vectors[index] !== undefined) throw broken(`the vector of text ${index} came twice`);
    vectors[index] = vectorOf(field(datum, 'embedding'), index, dimension);
  }
  return vectors.filter((vector) => vector !== undefined);
}

// Some compatible servers leave the index out, and answer in order.
function indexOf(datum: unknown, place: number, texts: number): number {
  const index = field(datum, 'index') ?? place;
  if (typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 && index < texts) return index;
  throw broken(`a vector has the index ${JSON.stringify(index)}, of ${texts} texts`);
}

function vectorOf(value: unknown, index: number, dimension: number): Float32Array {
  if (!Array.isArray(value)) throw broken(`the vector of text ${index} is no list of numbers`);
  if (value.length !== dimension)
    throw failure(
      'E_DIMENSION',
      `the model gives ${value.length} numbers a vector, and ${dimension} are expected`,
      `set the option dimension to ${value.length}, and make the index anew`,
    );
  const vector = Float32Array.from(value as number[], (each) =>
    typeof each === 'number' ? each : Number.NaN,
  );
  // A zero or NaN vector would be sorted first by some stores, so it must not leave the driver.
  if (!vector.every(Number.isFinite) || vector.every((each) => each === 0))
    throw broken(`the vector of text ${index} is zero or holds what is no number`);
  return vector;
}

function broken(what: string): PagefaultError {
  return failure('E_PROTOCOL', what, 'the server breaks the protocol: check the options baseURL and model');
}

function failure(code: ErrorCode, what: string, hint: string): PagefaultError {
  return new PagefaultError(code, `${DRIVER_NAME}: ${what}`, { driver: DRIVER_NAME, hint });
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
