import type { IndexedDocument } from '@pagefault/contracts';
import { shareOf } from './context.js';
import { VECTOR_BEFORE } from './limits.js';

/**
 * Names the form of the vectors of messages in their scope: a turn's own and part of the one before. Another form is
 * another name, so that vectors of two forms never meet.
 */
export const MESSAGE_FORM = 'turns-2';

/** What the turn before counts in a turn's vector, next to 1: less for a long turn, nothing across sessions. */
export function weightBefore(document: IndexedDocument, before: IndexedDocument | undefined): number {
  if (before?.session !== document.session) return 0;
  return VECTOR_BEFORE * shareOf(document);
}

/** The weighted sum, of length 1. As it stands when the other weighs nothing, or the sum would be nothing. */
export function blend(vector: Float32Array, before: Float32Array | undefined, weight: number): Float32Array {
  if (!before || weight === 0) return vector;
  const sum = vector.map((value, i) => value + weight * (before[i] ?? 0));
  const length = Math.hypot(...sum);
  return length > Number.EPSILON ? sum.map((value) => value / length) : vector;
}
