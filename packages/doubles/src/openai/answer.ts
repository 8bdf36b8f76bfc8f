import { deltasOf, finishOf, messageOf, writtenBy, type DoubleReply } from './reply.js';
import type { ChatRequest } from './types.js';
import { promptTokens, textTokens } from './prompt.js';
import type { ChatUsage } from './usage.js';

/** The data of each event of a streamed answer, `[DONE]` included. */
export function streamEvents(reply: DoubleReply, request: ChatRequest, n: number, cached: number): string[] {
  const head = { id: `chatcmpl-${n}`, object: 'chat.completion.chunk', created: n, model: request.model };
  const wantsUsage = request.stream_options?.include_usage === true && reply.usage !== null;
  const tail = wantsUsage ? { usage: null } : {};
  const chunk = (delta: object, finish_reason: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...tail,
  });
  const usage = wantsUsage ? usageOf(reply, request, cached) : undefined;
  const finish = finishOf(reply);
  const chunks = [
    ...deltasOf(reply).map((delta) => chunk(delta, null)),
    ...(finish === null ? [] : [chunk({}, finish)]),
    ...(wantsUsage ? [{ ...head, choices: [], usage }] : []),
  ];
  return [...chunks.map((each) => JSON.stringify(each)), '[DONE]'];
}

export function completion(reply: DoubleReply, request: ChatRequest, n: number, cached: number): object {
  return {
    id: `chatcmpl-${n}`,
    object: 'chat.completion',
    created: n,
    model: request.model,
    choices: [
      { index: 0, message: messageOf(reply), logprobs: null, finish_reason: finishOf(reply) ?? 'stop' },
    ],
    usage: usageOf(reply, request, cached),
  };
}

function usageOf(reply: DoubleReply, request: ChatRequest, cached_tokens: number): ChatUsage | object {
  if (reply.usage) return reply.usage;
  const prompt_tokens = promptTokens(request);
  const completion_tokens = textTokens(writtenBy(reply));
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens },
  };
}

/** The body of a refusal in the service's form. */
export function errorBody(
  message: string,
  details: { type?: string; code?: string; param?: string } = {},
): object {
  return {
    error: {
      message,
      type: details.type ?? 'invalid_request_error',
      param: details.param ?? null,
      code: details.code ?? null,
    },
  };
}

/** What the service says when prompt and output, in tokens, do not fit its window; undefined when they do. */
export function overflowBody(prompt: number, output: number, window: number): object | undefined {
  if (prompt + output <= window) return undefined;
  const asked =
    output === 0
      ? `your messages resulted in ${prompt} tokens`
      : `you requested ${prompt + output} tokens (${prompt} in the messages, ${output} in the completion)`;
  return errorBody(
    `This model's maximum context length is ${window} tokens. However, ${asked}. Please reduce the length of the messages or completion.`,
    { code: 'context_length_exceeded', param: 'messages' },
  );
}
