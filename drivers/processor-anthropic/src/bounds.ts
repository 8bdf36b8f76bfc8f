import type { CountablePiece, ImagePart, Message, Tokens } from '@pagefault/contracts';
import { countPieces, createTokenCounter, type TokenCounter } from '@pagefault/driver-kit';
import { systemNote, textOf } from './content.js';
import type { Options } from './options.js';
import { thinkingBlock } from './reasoning.js';
import { CLOSING, OPENING } from './turns.js';

export type Bounds = (pieces: readonly CountablePiece[]) => Tokens[];

/**
 * Upper bounds without network: Anthropic's tokenizers are not public, so those of `o200k_base` times a factor (see
 * `models.ts`), and one more for each character beyond ASCII, of which `o200k_base` knows longer runs than they do. The
 * kernel calibrates by what is reported.
 */
export function createBounds(options: Pick<Options, 'model' | 'tokenFactor' | 'toolPrompt'>): Bounds {
  const base = createTokenCounter();
  const counter: TokenCounter = {
    count: (text) => Math.ceil(base.count(text) * options.tokenFactor) + beyondAscii(text),
  };
  // What is put around a history that does not begin or end with a user.
  const frame = () => counter.count(OPENING) + counter.count(CLOSING);
  return (pieces) =>
    countPieces(counter, pieces.map(asSent), {
      thinkingIsSent: (part) => thinkingBlock(part, options.model) !== undefined,
      imageTokens,
    }).map((tokens, at) => tokens + added(pieces[at], options.toolPrompt, frame));
}

function beyondAscii(text: string): number {
  return text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
}

function added(piece: CountablePiece | undefined, toolPrompt: Tokens, frame: () => Tokens): Tokens {
  if (piece?.kind === 'tools') return piece.tools.length === 0 ? 0 : toolPrompt;
  return piece?.kind === 'system' ? frame() : 0;
}

/** With the words that mark a system message. */
function asSent(piece: CountablePiece): CountablePiece {
  if (piece.kind !== 'message' || piece.message.role !== 'system') return piece;
  const message: Message = {
    ...piece.message,
    parts: [{ type: 'text', text: systemNote(textOf(piece.message.parts)) }],
  };
  return { kind: 'message', message };
}

/** The service's own rule: a token for 750 pixels, up to the most that an image has after it was scaled down. */
const PIXELS_PER_TOKEN = 750;
const MOST_IMAGE_TOKENS = 4_784;
const USUAL_MOST_IMAGE_TOKENS = 1_600;

function imageTokens({ width = 0, height = 0 }: Pick<ImagePart, 'width' | 'height'>): Tokens {
  if (!(width > 0 && height > 0)) return USUAL_MOST_IMAGE_TOKENS;
  return Math.min(Math.ceil((width * height) / PIXELS_PER_TOKEN) + 1, MOST_IMAGE_TOKENS);
}
