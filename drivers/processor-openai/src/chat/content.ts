import type { ImagePart, Part } from '@pagefault/contracts';
import { NO_IMAGE, wellFormed } from '@pagefault/driver-kit';
import type OpenAI from 'openai';
import { imageAddress } from '../image.js';

type UserContent = OpenAI.Chat.Completions.ChatCompletionUserMessageParam['content'];
type ContentPart = OpenAI.Chat.Completions.ChatCompletionContentPart;

/** Text, or text and images in their order. Undefined when there is nothing to send. */
export function userContent(parts: readonly Part[], images: boolean): UserContent | undefined {
  const content = parts.flatMap((part): ContentPart[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: wellFormed(part.text) }];
    return part.type === 'image' ? [imageContent(part, images)] : [];
  });
  if (content.length === 0) return undefined;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n') : content;
}

function imageContent(image: ImagePart, images: boolean): ContentPart {
  const url = images ? imageAddress(image) : undefined;
  return url === undefined ? { type: 'text', text: NO_IMAGE } : { type: 'image_url', image_url: { url } };
}
