import type { CallPart, ImagePart, Message, Part, ResultPart } from '@pagefault/contracts';
import {
  argumentProblem,
  legalName,
  NO_IMAGE,
  NO_OUTPUT,
  resultText,
  wellFormed,
  wellFormedJson,
} from '@pagefault/driver-kit';
import type { WireBlock, WireText } from './api.js';

/** The text as a block; none for what is blank, which the service refuses. */
export function textBlocks(text: string): WireText[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(text) }];
}

/**
 * A system message amid the conversation, in its place: moved to the top it would lose its meaning and change the cached
 * prefix. Older models take no such role there, so it is the user's text, marked.
 */
export function systemNote(text: string): string {
  return text.trim() === '' ? '' : `<system-message>\n${text}\n</system-message>`;
}

/** What a user said, behind the speaker's name when there is one: the service has no field for it. */
export function userBlocks(message: Message, images: boolean): WireBlock[] {
  const blocks = message.parts.flatMap((part): WireBlock[] => {
    if (part.type === 'text') return textBlocks(part.text);
    return part.type === 'image' ? [imageBlock(part, images)] : [];
  });
  const { name = '' } = message;
  const first = blocks.findIndex(({ type }) => type === 'text');
  return name === '' ? blocks : blocks.map((block, at) => (at === first ? spokenBy(name, block) : block));
}

function spokenBy(name: string, block: WireBlock): WireBlock {
  return block.type === 'text' ? { ...block, text: `${wellFormed(name)}: ${block.text}` } : block;
}

const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function imageBlock(image: ImagePart, images: boolean): WireBlock {
  const media_type = MEDIA_TYPES.find((known) => known === image.mediaType);
  if (!images || media_type === undefined || !isBase64(image.data)) return { type: 'text', text: NO_IMAGE };
  return { type: 'image', source: { type: 'base64', media_type, data: image.data } };
}

function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

export function callBlock(call: CallPart, id: string): WireBlock {
  return { type: 'tool_use', id, name: legalName(call.name), input: inputOf(call.arguments) };
}

export function resultBlock(result: ResultPart | undefined, id: string): WireBlock {
  const text = resultText(result);
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: text.trim() === '' ? NO_OUTPUT : text,
    ...(result?.isError === true ? { is_error: true } : {}),
  };
}

/** Texts and numbers of JSON text, to tell numbers from digits in a text. */
const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * The arguments as the object that the wire wants. A number that would lose digits on the way becomes a text, so that the
 * model sees what it wrote.
 */
function inputOf(written: string): { readonly [key: string]: unknown } {
  if (argumentProblem(written) !== undefined) return {};
  const safe = written.replace(JSON_TOKENS, (token) => (keepsDigits(token) ? token : `"${token}"`));
  return wellFormedJson(JSON.parse(safe)) as { readonly [key: string]: unknown };
}

function keepsDigits(token: string): boolean {
  if (token.startsWith('"')) return true;
  const value = Number(token);
  return /^-?\d+$/.test(token) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
}
