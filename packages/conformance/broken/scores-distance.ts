import type { ArchivalDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const scoresDistance: Broken<ArchivalDriver> = {
  rule: 'a score is a similarity, higher is nearer',
  because: "the database's cosine distance is handed through",
  wrap: (good) => ({
    ...good,
    async query(query, signal) {
      const hits = await good.query(query, signal);
      return hits.map(({ id, score }) => ({ id, score: 2 - 2 * score }));
    },
  }),
  mustFail: [
    'upsert: replaces by id, vector and time alike, and is found at once (B20)',
    'upsert: of two entries with one id in a batch the last one wins (B30)',
    'upsert: the caller may use its array again',
    'scores: are (1 + cosine) / 2, whatever the lengths, best first (D14)',
    'scores: nearly equal vectors stay within [0, 1]',
  ],
};
