import type { PieceNode } from './vocabulary.js';

/** What no piece covers. A run of it within a word is one token. */
export const UNKNOWN = 0;

/** Stands for the space before a word; pieces hold it only as their first symbol. */
const WORD_START = '\u2581';

/**
 * Code points that are brought to form NFKC and segmented as one; a longer word is cut. Any limit far above real
 * words would do: normalising a run of combining marks takes quadratic time (15 s for 200,000 of them).
 */
const WORD_STRETCHES = /\S{1,512}/gu;

/**
 * Token ids of a text: for each word the pieces whose log probabilities have the highest sum. Time is linear in
 * the text, because a piece has at most 16 symbols and never crosses a space. Text is brought to Unicode form
 * NFKC, and white space of any kind and length counts as one space, as in the model's training.
 */
export function tokenize(vocabulary: PieceNode, text: string): number[] {
  const ids: number[] = [];
  let end = -1;
  for (const { 0: stretch, index } of text.matchAll(WORD_STRETCHES)) {
    appendStretch(vocabulary, stretch, index === end, ids);
    end = index + stretch.length;
  }
  return ids;
}

// NFKC turns a few signs into a space and a mark, so one stretch may hold several words.
function appendStretch(vocabulary: PieceNode, stretch: string, continues: boolean, ids: number[]): void {
  stretch
    .normalize('NFKC')
    .split(/\s+/u)
    .forEach((word, i) => {
      if (word === '') return;
      const symbols = continues && i === 0 ? [...word] : [WORD_START, ...word];
      appendMerged(bestPath(vocabulary, symbols), ids);
    });
}

function appendMerged(word: readonly number[], ids: number[]): void {
  for (const id of word) {
    if (id !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(id);
  }
}

/**
 * Viterbi's algorithm, forwards: `best[end]` is the score of the best way to spell the first `end` symbols. A symbol
 * that no piece starts with costs nothing and is unknown. Of equal ways the one with the shorter last piece wins.
 */
function bestPath(vocabulary: PieceNode, symbols: readonly string[]): number[] {
  const best = new Float64Array(symbols.length + 1).fill(Number.NEGATIVE_INFINITY);
  const lastId = new Int32Array(symbols.length + 1);
  const lastStart = new Int32Array(symbols.length + 1);
  best[0] = 0;
  const offer = (start: number, end: number, id: number, score: number): void => {
    const total = (best[start] ?? 0) + score;
    if (total < (best[end] ?? 0)) return;
    best[end] = total;
    lastId[end] = id;
    lastStart[end] = start;
  };
  for (let start = 0; start < symbols.length; start++) {
    if (!offerPieces(vocabulary, symbols, start, offer)) offer(start, start + 1, UNKNOWN, 0);
  }
  return walkBack(lastId, lastStart);
}

type Offer = (start: number, end: number, id: number, score: number) => void;

/** Offers every piece that starts here; false when there is none. */
function offerPieces(root: PieceNode, symbols: readonly string[], start: number, offer: Offer): boolean {
  let found = false;
  let node = root.next.get(symbols[start] ?? '');
  for (let end = start + 1; node !== undefined; end++) {
    if (node.piece !== undefined) offer(start, end, node.piece.id, node.piece.score);
    found ||= node.piece !== undefined;
    node = node.next.get(symbols[end] ?? '');
  }
  return found;
}

function walkBack(lastId: Int32Array, lastStart: Int32Array): number[] {
  const ids: number[] = [];
  for (let end = lastId.length - 1; end > 0; end = lastStart[end] ?? 0) ids.push(lastId[end] ?? UNKNOWN);
  return ids.reverse();
}
