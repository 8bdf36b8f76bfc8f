/** How many tokens the content of a message or result has, which is a text or a list of parts. */
import { isRecord } from './source.js';

/** Tokens of a picture of usual size, as the provider counts them: its text in the log is base64. */
export const IMAGE_TOKENS = 1_500;

const IMAGES: ReadonlySet<unknown> = new Set(['image', 'input_image', 'image_url']);

export function tokensOfContent(content: unknown, count: (text: string) => number): number {
  if (typeof content === 'string') return count(content);
  if (!Array.isArray(content)) return 0;
  return sum(content.map((one) => (isImage(one) ? IMAGE_TOKENS : count(textOfPart(one)))));
}

/** Without its pictures. */
export function textOfContent(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content.map(textOfPart).join('\n');
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

const isImage = (part: unknown) => isRecord(part) && IMAGES.has(part['type']);

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  return isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '';
}
