import { completion, streamEvents } from './answer.js';
import type { ModelApi } from './api.js';
import { tokensOf } from './prompt.js';
import type { ChatRequest } from './types.js';
import { validateChatRequest } from './validate.js';

const OVERLOADED = { message: 'The server is overloaded', type: 'server_error', code: 'overloaded' };

export const CHAT_API: ModelApi = {
  path: '/chat/completions',
  problems: validateChatRequest,
  read(body) {
    const request = body as ChatRequest;
    return {
      model: request.model,
      isStreamed: request.stream === true,
      tokens: tokensOf(request),
      output: request.max_completion_tokens ?? request.max_tokens ?? 0,
      cacheKey: request.prompt_cache_key ?? '',
    };
  },
  frames: (reply, body, { n, cached }) => streamEvents(reply, body as ChatRequest, n, cached).map(frameOf),
  whole: (reply, body, { n, cached }) => completion(reply, body as ChatRequest, n, cached),
  errorFrame: (error = OVERLOADED) => frameOf(JSON.stringify({ error })),
};

function frameOf(data: string): string {
  return `data: ${data}\n\n`;
}
