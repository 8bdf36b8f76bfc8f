/** From `distance`, pgvector's <=>, which is 1 - cosine. Rounding can push it just out of [0, 2]. */
export const SCORE = 'greatest(0, least(1, 1 - distance / 2)) as score';
