import {
  PagefaultError,
  type InferRequest,
  type Json,
  type Message,
  type Tokens,
} from '@pagefault/contracts';
import {
  argumentProblem,
  createWireIds,
  legalName,
  type Pair,
  pairCalls,
  resultText,
  wellFormed,
  wellFormedJson,
  type WireIds,
} from '@pagefault/driver-kit';
import type OpenAI from 'openai';
import { isStrict } from '../strict.js';
import type { ChatBody } from './api.js';
import { userContent } from './content.js';

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type ChatTool = OpenAI.Chat.Completions.ChatCompletionTool;
type ChatCall = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall;

export interface RequestSettings {
  readonly model: string;
  readonly maxOutput: Tokens;
  readonly images: boolean;
  readonly outputLimitField: 'max_completion_tokens' | 'max_tokens';
  readonly parallelCalls: boolean;
  readonly strictTools?: boolean;
  readonly promptCacheKey?: string | undefined;
  readonly temperature?: number | undefined;
  readonly extraBody: { readonly [key: string]: Json };
}

/** OpenAI's own ids are shorter; servers differ in what else they take. */
const LONGEST_ID = 40;

/**
 * The body of a chat request. Pure: the same request gives the same bytes. Whatever was evicted before
 * it, the service accepts it: calls have their results right behind them, results without a call are
 * left out, ids and names are legal, nothing is empty, and other models' reasoning is left out.
 * Errors: `E_INVALID` when nothing is left to send.
 */
export function toChatBody(request: InferRequest, settings: RequestSettings): ChatBody {
  const messages = [...systemMessage(request.system), ...conversation(request.messages, settings.images)];
  if (messages.length === 0)
    throw new PagefaultError('E_INVALID', 'the request holds no text at all', {
      hint: 'give the process a system prompt or send it a message',
    });
  const tools =
    request.tools.length === 0
      ? {}
      : { tools: request.tools.map((tool) => toChatTool(tool, settings.strictTools === true)) };
  // Left out when true, since that is the default and reasoning models refuse the field.
  const oneByOne = settings.parallelCalls || request.tools.length === 0 ? {} : { parallel_tool_calls: false };
  return {
    model: settings.model,
    messages,
    ...tools,
    ...oneByOne,
    stream: true,
    stream_options: { include_usage: true },
    [settings.outputLimitField]: Math.min(request.maxOutput, settings.maxOutput),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.promptCacheKey === undefined ? {} : { prompt_cache_key: settings.promptCacheKey }),
    ...settings.extraBody,
  };
}

function systemMessage(system: string): ChatMessage[] {
  return system === '' ? [] : [{ role: 'system', content: wellFormed(system) }];
}

function toChatTool(tool: InferRequest['tools'][number], wantsStrict: boolean): ChatTool {
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: wellFormed(tool.description),
      parameters: wellFormedJson(tool.parameters) as { [key: string]: unknown },
      ...(wantsStrict && isStrict(tool.parameters) ? { strict: true } : {}),
    },
  };
}

function conversation(messages: readonly Message[], images: boolean): ChatMessage[] {
  const pairs = pairCalls(messages);
  const ids = createWireIds(LONGEST_ID);
  return messages.flatMap((message): ChatMessage[] => {
    switch (message.role) {
      case 'system':
        return systemMessage(textOf(message)).map((each) => ({ ...each, ...speaker(message) }));
      case 'user': {
        const content = userContent(message.parts, images);
        return content === undefined ? [] : [{ role: 'user', content, ...speaker(message) }];
      }
      case 'assistant':
        return assistantTurn(message, pairs.get(message) ?? [], ids);
      case 'tool':
        // Sent right behind the calls that they answer.
        return [];
    }
  });
}

function assistantTurn(message: Message, pairs: readonly Pair[], ids: WireIds): ChatMessage[] {
  const text = textOf(message);
  if (pairs.length === 0)
    return text === '' ? [] : [{ role: 'assistant', content: text, ...speaker(message) }];
  const wired = pairs.map((pair) => ({ ...pair, id: ids.take(pair.call.callId) }));
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...speaker(message),
      tool_calls: wired.map(({ call, id }): ChatCall => ({
        id,
        type: 'function',
        function: functionOf(call),
      })),
    },
    ...wired.map(({ result, id }): ChatMessage => ({
      role: 'tool',
      tool_call_id: id,
      content: resultText(result),
    })),
  ];
}

/** The model's own arguments as it wrote them, so that no number loses digits. */
function functionOf(call: Pair['call']): ChatCall['function'] {
  const isBroken = argumentProblem(call.arguments) !== undefined;
  return { name: legalName(call.name), arguments: isBroken ? '{}' : wellFormed(call.arguments) };
}

function textOf(message: Message): string {
  const texts = message.parts.flatMap((part) =>
    part.type === 'text' && part.text !== '' ? [part.text] : [],
  );
  return wellFormed(texts.join('\n'));
}

// Compatible servers take fewer characters than OpenAI, so only names that all take are sent.
function speaker(message: Message): { name?: string } {
  return message.name !== undefined && /^[a-zA-Z0-9_-]{1,64}$/.test(message.name)
    ? { name: message.name }
    : {};
}
