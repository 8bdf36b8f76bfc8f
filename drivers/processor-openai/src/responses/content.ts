import type { ImagePart, Message } from '@pagefault/contracts';
import { NO_IMAGE, wellFormed } from '@pagefault/driver-kit';
import type OpenAI from 'openai';
import { imageAddress } from '../image.js';

type Content = OpenAI.Responses.ResponseInputContent;

/**
 * What a user said: text, or text and images in their order, behind the speaker's name, for which the API has no field.
 * Undefined when there is nothing to send.
 */
export function inputContent({ parts, name }: Message, images: boolean): string | Content[] | undefined {
  const content = parts.flatMap((part): Content[] => {
    if (part.type === 'text') return part.text === '' ? [] : [textContent(part.text)];
    return part.type === 'image' ? [imageContent(part, images)] : [];
  });
  if (content.length === 0) return undefined;
  const named = name === undefined ? content : spokenBy(name, content);
  const texts = named.flatMap((each) => (each.type === 'input_text' ? [each.text] : []));
  return texts.length === named.length ? texts.join('\n') : named;
}

function spokenBy(name: string, content: readonly Content[]): Content[] {
  const first = content.findIndex(({ type }) => type === 'input_text');
  return content.map((each, at) =>
    at === first && each.type === 'input_text' ? textContent(`${name}: ${each.text}`) : each,
  );
}

function textContent(text: string): Content {
  return { type: 'input_text', text: wellFormed(text) };
}

function imageContent(image: ImagePart, images: boolean): Content {
  const image_url = images ? imageAddress(image) : undefined;
  return image_url === undefined
    ? { type: 'input_text', text: NO_IMAGE }
    : { type: 'input_image', image_url, detail: 'auto' };
}
