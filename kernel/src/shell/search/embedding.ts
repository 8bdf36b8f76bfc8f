/**
 * Texts to vectors. One text that cannot be embedded must not keep the others from it (B32): when a batch is refused,
 * each text is tried alone, and those that are refused are noted.
 */
import type { Bill, EmbedderDriver, ErrorCode } from '@pagefault/contracts';
import { hasCode, type PagefaultError } from '@pagefault/contracts';
import { isBlank } from '../../core/text.js';

/** Vectors by ordinal. */
export type Vectors = ReadonlyMap<number, Float32Array>;

/** Texts by ordinal. */
type Texts = ReadonlyMap<number, string>;

/** Why a text or its vector was refused, by ordinal. */
export type Refusals = Map<number, PagefaultError>;

// Of the text. Everything else is of the service, and may pass.
const OF_THE_TEXT: readonly ErrorCode[] = ['E_INVALID', 'E_CONTEXT_OVERFLOW', 'E_REFUSED', 'E_REQUEST'];

export function isRefusal(error: unknown): error is PagefaultError {
  return hasCode(error, ...OF_THE_TEXT);
}

/** Blank texts have no vector. Errors: those of the embedder, and a refusal when all texts of a batch are refused alike. */
export async function embedTexts(
  embedder: EmbedderDriver,
  texts: Texts,
  refusals: Refusals,
  signal: AbortSignal,
  onBill?: (bill: Bill) => void,
): Promise<Vectors> {
  const filled = [...texts].filter(([, text]) => !isBlank(text));
  if (filled.length === 0) return new Map();
  try {
    const vectors = await embedder.embed(
      filled.map(([, text]) => text),
      signal,
      'document',
      onBill,
    );
    return new Map(filled.flatMap(([ordinal], i) => (vectors[i] ? [[ordinal, vectors[i]] as const] : [])));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [only, ...others] = filled;
    const alone = only && others.length === 0 ? refusedAlone(only[0], error) : undefined;
    const { vectors, refused } = alone ?? (await eachAlone(embedder, filled, signal, onBill));
    // A wrong model name is refused for every text alike: it is no fault of theirs.
    if (vectors.size === 0 && error.code !== 'E_INVALID') throw error;
    for (const [ordinal, refusal] of refused) refusals.set(ordinal, refusal);
    return vectors;
  }
}

interface Embedded {
  readonly vectors: Vectors;
  readonly refused: Refusals;
}

function refusedAlone(ordinal: number, error: PagefaultError): Embedded {
  return { vectors: new Map(), refused: new Map([[ordinal, error]]) };
}

async function eachAlone(
  embedder: EmbedderDriver,
  texts: readonly (readonly [ordinal: number, text: string])[],
  signal: AbortSignal,
  onBill: ((bill: Bill) => void) | undefined,
): Promise<Embedded> {
  const vectors = new Map<number, Float32Array>();
  const refused: Refusals = new Map();
  for (const [ordinal, text] of texts) {
    try {
      const [vector] = await embedder.embed([text], signal, 'document', onBill);
      if (vector) vectors.set(ordinal, vector);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.set(ordinal, error);
    }
  }
  return { vectors, refused };
}
