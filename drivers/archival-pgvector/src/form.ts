import type { Names } from './schema.js';

/** How the vectors are indexed: as they are, or in half precision. */
export interface IndexForm {
  /** The indexed expression, and the type of what it is compared with. */
  readonly column: string;
  readonly type: string;
  readonly operators: string;
}

// pgvector's limits of an HNSW index, by type (B12).
const MAX_VECTOR = 2_000;
export const MAX_HALFVEC = 4_000;

export const isIndexable = (dimension: number): boolean => dimension <= MAX_HALFVEC;

export function formOf({ extension }: Pick<Names, 'extension'>, dimension: number): IndexForm {
  if (dimension <= MAX_VECTOR) {
    return { column: 'embedding', type: `${extension}.vector`, operators: `${extension}.vector_cosine_ops` };
  }
  const type = `${extension}.halfvec(${dimension})`;
  // The query must use this very expression, or the planner does not see the index (B13).
  return { column: `(embedding::${type})`, type, operators: `${extension}.halfvec_cosine_ops` };
}
