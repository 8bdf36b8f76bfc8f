import type {
  CountablePiece,
  ImagePart,
  Message,
  Part,
  ThinkingPart,
  Tokens,
  ToolDefinition,
} from '@pagefault/contracts';
import type { TokenCounter } from './tokens.js';

/**
 * What the wire adds to the text, in tokens. Upper bounds over OpenAI's chat format (3 for each message
 * and 1 for its role, 1 for a name, 3 that prime the reply: OpenAI cookbook, "How to count tokens with
 * tiktoken") and over the templates of compatible servers, which write calls and tools as JSON.
 */
export const WIRE_OVERHEAD = {
  message: 5,
  name: 2,
  call: 12,
  result: 8,
  /** Once, when there is any tool. */
  tools: 16,
  tool: 12,
  /** With the system text: what primes the reply. */
  reply: 3,
} as const;

/** What a driver sends for a result without text; such a result is counted as this. */
export const NO_OUTPUT = '(no output)';

/** What stands for an image that the model cannot be shown. */
export const NO_IMAGE = '(an image that this model cannot be shown)';

/** OpenAI's high-detail images: 85 tokens and 170 for each tile of 512 pixels. */
const IMAGE_BASE = 85;
const IMAGE_TILE = 170;
/** The largest that an image can be after scaling, 2,048 by 768: also the price of an image of unknown size. */
const IMAGE_MOST_TILES = 8;

export interface CountingRules {
  /** Whether thinking is sent back to the model, all of it or a part. Default true. */
  readonly thinkingIsSent?: boolean | ((part: ThinkingPart) => boolean);
  /** Default OpenAI's. */
  readonly imageTokens?: (image: ImagePart) => Tokens;
}

/** Tokens of each piece, in the order given, wire overhead included. The request is at most their sum. */
export function countPieces(
  counter: TokenCounter,
  pieces: readonly CountablePiece[],
  rules: CountingRules = {},
): Tokens[] {
  return pieces.map((piece) => {
    if (piece.kind === 'tools') return countTools(counter, piece.tools);
    if (piece.kind === 'system')
      return WIRE_OVERHEAD.message + WIRE_OVERHEAD.reply + counter.count(piece.text);
    return countMessage(counter, piece.message, rules);
  });
}

function countTools(counter: TokenCounter, tools: readonly ToolDefinition[]): Tokens {
  if (tools.length === 0) return 0;
  const each = tools.map((tool) => WIRE_OVERHEAD.tool + counter.count(JSON.stringify(tool)));
  return WIRE_OVERHEAD.tools + sum(each);
}

function countMessage(counter: TokenCounter, message: Message, rules: CountingRules): Tokens {
  const name = message.name === undefined ? 0 : WIRE_OVERHEAD.name + counter.count(message.name);
  return WIRE_OVERHEAD.message + name + sum(message.parts.map((part) => countPart(counter, part, rules)));
}

function countPart(counter: TokenCounter, part: Part, rules: CountingRules): Tokens {
  switch (part.type) {
    case 'text':
      // One more than the text: parts that meet in one message are kept apart by a line break.
      return counter.count(part.text) + 1;
    case 'image':
      return (rules.imageTokens ?? imageTokens)(part);
    case 'thinking':
      return isSent(part, rules) ? countThinking(counter, part) : 0;
    case 'call':
      return WIRE_OVERHEAD.call + counter.count(part.name) + counter.count(part.arguments);
    case 'result':
      return WIRE_OVERHEAD.result + counter.count(part.text === '' ? NO_OUTPUT : part.text);
  }
}

function isSent(part: ThinkingPart, { thinkingIsSent = true }: CountingRules): boolean {
  return typeof thinkingIsSent === 'boolean' ? thinkingIsSent : thinkingIsSent(part);
}

function countThinking(counter: TokenCounter, part: ThinkingPart): Tokens {
  const opaque = part.opaque === undefined ? 0 : counter.count(JSON.stringify(part.opaque.data));
  return counter.count(part.text) + opaque;
}

/**
 * Tokens of an image by its size in pixels: scaled to fit 2,048 by 2,048, then to a shorter side of 768,
 * then cut into tiles of 512. The bytes do not matter. Unknown sizes cost the most that an image can.
 */
export function imageTokens(image: Pick<ImagePart, 'width' | 'height'>): Tokens {
  return IMAGE_BASE + IMAGE_TILE * imageTiles(image.width ?? 0, image.height ?? 0);
}

function imageTiles(width: number, height: number): number {
  if (!(width > 0 && height > 0)) return IMAGE_MOST_TILES;
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const shrink = Math.min(1, 768 / (Math.min(width, height) * fit));
  const scale = fit * shrink;
  const tiles = Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
  return Math.min(Math.max(tiles, 1), IMAGE_MOST_TILES);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
