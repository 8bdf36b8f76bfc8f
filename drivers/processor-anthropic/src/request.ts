import { PagefaultError, type InferRequest, type Json, type Tokens } from '@pagefault/contracts';
import { legalName, wellFormed, wellFormedJson } from '@pagefault/driver-kit';
import type { CountBody, MessagesBody, WireMessage, WireTool } from './api.js';
import { textBlocks } from './content.js';
import { marked, markedBlocks, type Ttl } from './marks.js';
import { LEAST_BUDGET } from './options.js';
import { isThinking } from './reasoning.js';
import { type Turn, turnsOf } from './turns.js';

export interface RequestSettings {
  readonly model: string;
  readonly maxOutput: Tokens;
  readonly images: boolean;
  readonly parallelCalls: boolean;
  readonly thinking: 'adaptive' | 'disabled' | number | undefined;
  readonly thinksByDefault: boolean;
  readonly replayThinking: boolean;
  readonly cache: Ttl | 'off';
  readonly extraBody: { readonly [key: string]: Json };
}

/**
 * The body of a Messages request. Pure: the same request gives the same bytes. Whatever was evicted before it, the service
 * accepts it.
 * Errors: `E_INVALID` when nothing is left to send.
 */
export function toMessagesBody(request: InferRequest, settings: RequestSettings): MessagesBody {
  const max_tokens = Math.min(request.maxOutput, settings.maxOutput);
  return { ...inputBody(request, settings, max_tokens), max_tokens, stream: true, ...settings.extraBody };
}

/** The part of it that is counted. */
export function toCountBody(request: InferRequest, settings: RequestSettings): CountBody {
  return inputBody(request, settings, Math.min(request.maxOutput, settings.maxOutput));
}

function inputBody(request: InferRequest, settings: RequestSettings, max_tokens: Tokens): CountBody {
  const { turns, thinking } = thoughtfulTurns(request, settings, max_tokens);
  const isSaid = turns.some(({ blocks }) => blocks.some(({ from }) => from < request.messages.length));
  if (request.system.trim() === '' && !isSaid)
    throw new PagefaultError('E_INVALID', 'the request holds no text at all', {
      hint: 'give the process a system prompt or send it a message',
    });
  const ttl = settings.cache;
  const breakpoints = ttl === 'off' ? [] : (request.breakpoints ?? []);
  const marks = markedBlocks(turns, breakpoints);
  return {
    model: settings.model,
    ...headOf(request, turns, settings, breakpoints.includes(0) && ttl !== 'off' ? ttl : undefined),
    messages: turns.map(({ role, blocks }) => ({
      role,
      content: blocks.map(({ block }) => (ttl !== 'off' && marks.has(block) ? marked(block, ttl) : block)),
    })) as WireMessage[],
    ...(thinking === undefined ? {} : { thinking }),
  };
}

/** Tools and system text; the mark of breakpoint 0 stands behind the last of them. */
function headOf(
  request: InferRequest,
  turns: readonly Turn[],
  settings: RequestSettings,
  ttl: Ttl | undefined,
): Pick<CountBody, 'tools' | 'tool_choice' | 'system'> {
  const system = textBlocks(request.system).map((block) => (ttl === undefined ? block : marked(block, ttl)));
  const declared = request.tools.map(toWireTool);
  const tools = declared.map((tool, at) =>
    ttl !== undefined && system.length === 0 && at === declared.length - 1 ? marked(tool, ttl) : tool,
  );
  return {
    ...(tools.length > 0 ? { tools, ...oneByOne(settings) } : standInTools(turns)),
    ...(system.length === 0 ? {} : { system }),
  };
}

function toWireTool(tool: InferRequest['tools'][number]): WireTool {
  const description = wellFormed(tool.description);
  return {
    name: tool.name,
    ...(description === '' ? {} : { description }),
    input_schema: wellFormedJson(tool.parameters) as WireTool['input_schema'],
  };
}

function oneByOne({ parallelCalls }: RequestSettings): Pick<CountBody, 'tool_choice'> {
  return parallelCalls ? {} : { tool_choice: { type: 'auto', disable_parallel_tool_use: true } };
}

/** A history with calls is refused without tools: their names are declared, and none may be called. */
function standInTools(turns: readonly Turn[]): Pick<CountBody, 'tools' | 'tool_choice'> {
  const blocks = turns.flatMap((turn) => turn.blocks.map(({ block }) => block));
  const names = new Set(
    blocks.flatMap((block) => (block.type === 'tool_use' ? [legalName(block.name)] : [])),
  );
  if (names.size === 0) return {};
  const tools = [...names].map((name): WireTool => ({ name, input_schema: { type: 'object' } }));
  return { tools, tool_choice: { type: 'none' } };
}

interface Thoughtful {
  readonly turns: Turn[];
  readonly thinking: CountBody['thinking'];
}

/**
 * The turns, and how the model is asked to think. With a budget, a turn that is continued must begin with the thinking it
 * was begun with; when that is not there (another provider began it, or it is not sent back), this request asks for none.
 */
function thoughtfulTurns(request: InferRequest, settings: RequestSettings, max_tokens: Tokens): Thoughtful {
  const thinking = thinkingParam(settings, max_tokens);
  const thinks = thinking === undefined ? doesThink(settings) : thinking.type !== 'disabled';
  const replayThinking = thinks && settings.replayThinking;
  const turns = turnsOf(request.messages, { ...settings, replayThinking });
  if (thinking?.type !== 'enabled' || isContinuable(turns)) return { turns, thinking };
  return { turns: turnsOf(request.messages, { ...settings, replayThinking: false }), thinking: undefined };
}

/** Without being told. */
function doesThink({ thinking, thinksByDefault }: RequestSettings): boolean {
  return thinking === undefined && thinksByDefault;
}

/** A budget takes at most half of the reply; where that is less than the service takes, there is none. */
function thinkingParam({ thinking }: RequestSettings, max_tokens: Tokens): CountBody['thinking'] {
  if (thinking === undefined) return undefined;
  if (typeof thinking !== 'number') return { type: thinking };
  const budget_tokens = Math.min(thinking, Math.max(Math.floor(max_tokens / 2), LEAST_BUDGET));
  return budget_tokens < max_tokens ? { type: 'enabled', budget_tokens } : undefined;
}

function isContinuable(turns: readonly Turn[]): boolean {
  const isContinued = turns.at(-1)?.blocks[0]?.block.type === 'tool_result';
  return !isContinued || isThinking(turns.at(-2)?.blocks[0]?.block);
}
