import { encodedTokens, marks, type PromptToken } from '../prompt.js';
import { unseal } from './sealed.js';
import type { ResponsesItem, ResponsesRequest } from './types.js';

const IMAGE_TOKENS = 765;

/** The tokens of a prompt in order: tools, instructions, items. As many a message as chat has. */
export function tokensOfResponses(request: ResponsesRequest): readonly PromptToken[] {
  const items =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input;
  const { instructions } = request;
  const parts = [
    ...(request.tools ?? []).flatMap((tool) => [marks('tool', 8), encodedTokens(JSON.stringify(tool))]),
    ...(instructions ? [marks('instructions', 4), encodedTokens(instructions)] : []),
    ...items.flatMap((item) => itemTokens(item, request.model)),
    marks('reply', 3),
  ];
  return parts.flat();
}

function itemTokens(item: ResponsesItem, model: string): (readonly PromptToken[])[] {
  switch (item.type) {
    case 'function_call':
      return [
        marks(`call ${item.call_id}`, 6),
        encodedTokens(item.name ?? ''),
        encodedTokens(item.arguments ?? ''),
      ];
    case 'function_call_output':
      return [marks(`output ${item.call_id}`, 4), encodedTokens(String(item.output))];
    case 'reasoning':
      return [
        marks(`reasoning ${item.id}`, 3),
        encodedTokens(unseal(model, item.encrypted_content ?? '') ?? ''),
      ];
    default:
      return [marks(item.role ?? '', 4), ...contentTokens(item.content)];
  }
}

function contentTokens(content: ResponsesItem['content'] = ''): (readonly PromptToken[])[] {
  if (typeof content === 'string') return [encodedTokens(content)];
  return content.map(({ type, text, image_url }) =>
    type === 'input_image' ? marks(image_url ?? '', IMAGE_TOKENS) : encodedTokens(text ?? ''),
  );
}
