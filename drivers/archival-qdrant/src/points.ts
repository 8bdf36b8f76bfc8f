import type { Scope, VectorEntry } from '@pagefault/contracts';
import { v5 } from 'uuid';
import { refusal } from './errors.js';
import type { Limits } from './collection.js';
import { unitVector } from './vectors.js';

/** What a point holds beside its vector. Filters look at `scope` and `at`; `id` is ours. */
export interface PointPayload {
  readonly scope: Scope;
  readonly id: string;
  readonly at: number;
}

export interface Point {
  readonly id: string;
  readonly vector: number[];
  readonly payload: PointPayload & Record<string, unknown>;
}

/** Made once at random: the same for ever, or points would not be found again. */
const NAMESPACE = '6f5c0a3e-3d1b-4a39-9a55-1f2f0d7c8b11';

/** Qdrant takes unsigned integers and UUIDs only, so ours are hashed with their scope, and kept in the payload (B17, B18). */
export function pointId(scope: Scope, id: string): string {
  return v5(JSON.stringify([scope, id]), NAMESPACE);
}

/** All are checked before anything is written. Of two with one id the last one stays (B30). */
export function encode(scope: Scope, entries: readonly VectorEntry[], dimension: number): Point[] {
  const points = new Map<string, Point>();
  for (const { id, vector, at } of entries) {
    const unit = unitVector(`the vector of ${id}`, vector, dimension);
    points.set(id, { id: pointId(scope, id), vector: unit, payload: { scope, id, at } });
  }
  return [...points.values()];
}

/** Cuts points into requests that are within both limits (B19). Errors: `E_INVALID` for one that is too large by itself. */
export function batchesOf(points: readonly Point[], { batchPoints, batchBytes }: Limits): Point[][] {
  const batches: Point[][] = [];
  let room = 0;
  for (const point of points) {
    const size = mostBytes(point);
    if (size > batchBytes) throw tooLarge(point, size, batchBytes);
    const last = batches.at(-1);
    if (last === undefined || size > room || last.length >= batchPoints) {
      batches.push([point]);
      room = batchBytes - size;
    } else {
      last.push(point);
      room -= size;
    }
  }
  return batches;
}

/** A number of nine decimals as JSON with its comma, at most: `-0.123456789,`. */
const NUMBER_BYTES = 13;
/** Names, quotes and braces of a point, its UUID, and the digits of an instant. */
const FRAME_BYTES = 150;

/** An upper bound, since the SDK writes the JSON only later. */
function mostBytes({ vector, payload }: Point): number {
  const texts =
    Buffer.byteLength(JSON.stringify(payload.scope)) + Buffer.byteLength(JSON.stringify(payload.id));
  return FRAME_BYTES + texts + NUMBER_BYTES * vector.length;
}

function tooLarge({ payload }: Point, size: number, limit: number): Error {
  return refusal(
    'E_INVALID',
    `the entry ${payload.id.slice(0, 128)} takes up to ${size} bytes, and a request at most ${limit}`,
    'raise the option batchBytes, up to what the server takes',
  );
}

/** Ids of one request: 36 characters each, so far below every limit. */
const IDS_AT_ONCE = 10_000;

export function idBatches(scope: Scope, ids: readonly string[]): string[][] {
  const all = [...new Set(ids)].map((id) => pointId(scope, id));
  return Array.from({ length: Math.ceil(all.length / IDS_AT_ONCE) }, (_, i) =>
    all.slice(i * IDS_AT_ONCE, (i + 1) * IDS_AT_ONCE),
  );
}
