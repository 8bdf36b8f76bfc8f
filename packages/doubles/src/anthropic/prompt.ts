import { textTokens } from '../openai/prompt.js';
import { markOf } from './marks.js';
import { unmarked } from './signature.js';
import {
  systemBlocks,
  turnsOf,
  type CacheMark,
  type CountRequest,
  type ImageBlock,
  type TextBlock,
  type WireBlock,
} from './types.js';

/** The service's tokenizer gives about a third more tokens than `o200k_base`. */
const TEXT_RATIO = 1.3;

/** Most of a prompt was in the one before. */
const known = new Map<string, number>();
const MOST_KNOWN = 4_096;

/** Tokens of text as the double's models see it. */
export function claudeTokens(text: string): number {
  const before = known.get(text);
  if (before !== undefined) return before;
  const tokens = Math.ceil(textTokens(text) * TEXT_RATIO);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, tokens);
  return tokens;
}

/** What the service puts before the tools to explain their use. */
const TOOL_PROMPT = 346;
const PER_TOOL = 8;
const PER_TURN = 4;
const PER_CALL = 8;
const PER_RESULT = 6;
const PER_REQUEST = 3;
/** Of an image whose size the double does not look up: the most that one costs after scaling. */
const IMAGE_TOKENS = 1_568;

/** A piece of the prompt that a cache mark may stand behind. */
export interface Segment {
  /** Differs where the prompt differs. */
  readonly content: string;
  readonly tokens: number;
  readonly mark: CacheMark | undefined;
}

/** The prompt in the order of its prefix: tools, system, messages. */
export function segmentsOf(request: CountRequest): Segment[] {
  const tools = request.tools ?? [];
  return [
    ...tools.map((tool, at) =>
      segment(
        'tool',
        tool,
        claudeTokens(JSON.stringify(unmarked(tool))) + PER_TOOL + (at === 0 ? TOOL_PROMPT : 0),
      ),
    ),
    ...systemBlocks(request.system).map((block) => segment('system', block, blockTokens(block))),
    ...turnsOf(request.messages).flatMap(({ role, blocks }) =>
      blocks.map((block, at) =>
        // Whether the model thinks is told between the system prompt and the messages.
        segment(
          `${role} ${JSON.stringify(request.thinking)}`,
          block,
          blockTokens(block) + (at === 0 ? PER_TURN : 0),
        ),
      ),
    ),
  ];
}

export function inputTokens(request: CountRequest): number {
  return segmentsOf(request).reduce((sum, { tokens }) => sum + tokens, PER_REQUEST);
}

function segment(kind: string, block: object, tokens: number): Segment {
  return { content: kind + JSON.stringify(unmarked(block)), tokens, mark: markOf(block) };
}

function blockTokens(block: WireBlock): number {
  switch (block.type) {
    case 'text':
      return claudeTokens(block.text);
    case 'image':
      return IMAGE_TOKENS;
    case 'thinking':
      return claudeTokens(block.thinking);
    case 'redacted_thinking':
      return claudeTokens(block.data);
    case 'tool_use':
      return PER_CALL + claudeTokens(block.name) + claudeTokens(JSON.stringify(block.input));
    case 'tool_result':
      return PER_RESULT + resultTokens(block.content ?? '');
  }
}

function resultTokens(content: string | readonly (TextBlock | ImageBlock)[]): number {
  if (typeof content === 'string') return claudeTokens(content);
  return content.reduce((sum, block) => sum + blockTokens(block), 0);
}
