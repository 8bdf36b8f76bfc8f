import {
  type InferRequest,
  type Json,
  type Message,
  PagefaultError,
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
import { isStrict } from '../strict.js';
import type { CountBody, InputItem, ResponsesBody } from './api.js';
import { inputContent } from './content.js';
import { reasoningItem } from './reasoning.js';

export interface ResponsesSettings {
  readonly model: string;
  readonly maxOutput: Tokens;
  readonly images: boolean;
  readonly reasons: boolean;
  readonly parallelCalls: boolean;
  readonly strictTools: boolean;
  readonly promptCacheKey?: string | undefined;
  readonly temperature?: number | undefined;
  readonly extraBody: { readonly [key: string]: Json };
}

/** The service's own limit. */
const LONGEST_ID = 64;

/** The service refuses less. */
const LEAST_OUTPUT: Tokens = 16;

/**
 * The body of a Responses request. Nothing is kept at the provider (`store: false`): all that it must know is sent. Pure:
 * the same request gives the same bytes. Whatever was evicted before it, the service accepts it: calls have their results
 * right behind them, results without a call are left out, ids and names are legal, nothing is empty, own reasoning stands
 * before what followed from it, and other models' reasoning is left out.
 * Errors: `E_INVALID` when nothing is left to send.
 */
export function toResponsesBody(request: InferRequest, settings: ResponsesSettings): ResponsesBody {
  return {
    ...inputOf(request, settings),
    stream: true,
    store: false,
    ...(settings.reasons ? { include: ['reasoning.encrypted_content'] } : {}),
    max_output_tokens: Math.max(LEAST_OUTPUT, Math.min(request.maxOutput, settings.maxOutput)),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.promptCacheKey === undefined ? {} : { prompt_cache_key: settings.promptCacheKey }),
    ...settings.extraBody,
  };
}

/** The part of it that is counted. */
export function toCountBody(request: InferRequest, settings: ResponsesSettings): CountBody {
  return inputOf(request, settings);
}

function inputOf(request: InferRequest, settings: ResponsesSettings) {
  const input = inputItems(request.messages, settings);
  if (input.length === 0)
    throw new PagefaultError('E_INVALID', 'the request holds no message', {
      hint: 'send the process a message',
    });
  return {
    model: settings.model,
    ...(request.system === '' ? {} : { instructions: wellFormed(request.system) }),
    input,
    ...toolFields(request, settings),
  };
}

function toolFields(
  { tools }: InferRequest,
  { parallelCalls, strictTools }: ResponsesSettings,
): Pick<ResponsesBody, 'tools' | 'parallel_tool_calls'> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description: wellFormed(description),
      parameters: wellFormedJson(parameters) as { [key: string]: unknown },
      strict: strictTools && isStrict(parameters),
    })),
    ...(parallelCalls ? {} : { parallel_tool_calls: false }),
  };
}

function inputItems(messages: readonly Message[], { model, images }: ResponsesSettings): InputItem[] {
  const pairs = pairCalls(messages);
  const ids = createWireIds(LONGEST_ID);
  return messages.flatMap((message): InputItem[] => {
    switch (message.role) {
      case 'system': {
        const content = textOf(message);
        return content === '' ? [] : [{ role: 'system', content }];
      }
      case 'user': {
        const content = inputContent(message, images);
        return content === undefined ? [] : [{ role: 'user', content }];
      }
      case 'assistant':
        return assistantItems(message, pairs.get(message) ?? [], ids, model);
      case 'tool':
        // Sent right behind the calls that they answer.
        return [];
    }
  });
}

/** In the order of the parts; results behind the last call, as the service gave the calls. */
function assistantItems(message: Message, pairs: readonly Pair[], ids: WireIds, model: string): InputItem[] {
  const wired = pairs.map((pair) => ({ ...pair, id: ids.take(pair.call.callId) }));
  const items = message.parts.flatMap((part): InputItem[] => {
    if (part.type === 'text')
      return part.text === '' ? [] : [{ role: 'assistant', content: wellFormed(part.text) }];
    if (part.type === 'thinking') return [reasoningItem(part, model)].filter((item) => item !== undefined);
    const pair = wired.find(({ call }) => call === part);
    return pair === undefined ? [] : [callItem(pair.call, pair.id)];
  });
  return [...withoutLoneReasoning(items), ...wired.map(outputItem)];
}

/** Reasoning that nothing followed is refused (A21): its call was broken, or the reply was cut. */
function withoutLoneReasoning(items: readonly InputItem[]): InputItem[] {
  return items.filter((item, at) => !isReasoning(item) || items.slice(at).some((each) => !isReasoning(each)));
}

function isReasoning(item: InputItem): boolean {
  return 'type' in item && item.type === 'reasoning';
}

/**
 * Without the item's own id: one with it is refused when its reasoning is gone (A20). The arguments are as the model wrote
 * them, so that no number loses digits.
 */
function callItem(call: Pair['call'], call_id: string): InputItem {
  const isBroken = argumentProblem(call.arguments) !== undefined;
  return {
    type: 'function_call',
    call_id,
    name: legalName(call.name),
    arguments: isBroken ? '{}' : wellFormed(call.arguments),
  };
}

function outputItem({ result, id }: Pair & { readonly id: string }): InputItem {
  return { type: 'function_call_output', call_id: id, output: resultText(result) };
}

function textOf(message: Message): string {
  const texts = message.parts.flatMap((part) =>
    part.type === 'text' && part.text !== '' ? [part.text] : [],
  );
  return wellFormed(texts.join('\n'));
}
