import { readPackageFile, unreadable, type WeightsPackage } from '../model/package.js';

/** A node of the prefix tree over word pieces, one code point an edge. */
export interface PieceNode {
  readonly next: Map<string, PieceNode>;
  /** Set where a piece ends. `score` is the piece's log probability. */
  piece?: { readonly id: number; readonly score: number };
}

/** Ids below this are control tokens, which no text can spell. 0 stands for what no piece covers. */
const RESERVED = 6;

/** Reads the 8,000 word pieces. Errors: `E_STORAGE`. */
export async function readVocabulary(from: WeightsPackage): Promise<PieceNode> {
  const pieces: unknown = JSON.parse((await readPackageFile(from, 'vocab.json')).toString('utf8'));
  if (!Array.isArray(pieces)) throw unreadable('vocab.json: not a list');
  return buildVocabulary(pieces as readonly (readonly [piece: string, score: number])[]);
}

function buildVocabulary(pieces: readonly (readonly [piece: string, score: number])[]): PieceNode {
  const root: PieceNode = { next: new Map() };
  pieces.forEach(([piece, score], id) => {
    if (id >= RESERVED) nodeFor(root, piece).piece = { id, score };
  });
  return root;
}

function nodeFor(root: PieceNode, piece: string): PieceNode {
  let node = root;
  for (const symbol of piece) {
    let next = node.next.get(symbol);
    if (next === undefined) node.next.set(symbol, (next = { next: new Map() }));
    node = next;
  }
  return node;
}
