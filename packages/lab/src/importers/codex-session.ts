/**
 * What happened in one session of a Codex log. A reply is a run of the model's items. A log with usage has one report a
 * reply: after its items, or, as until autumn 2025, before them, and then results stand between the calls of one reply.
 */
import type { AgentCall, AgentEvent, AgentReply } from './agent-session.js';
import type { CodexUsage } from './codex-lines.js';
import type { CodexEntry } from './codex-log.js';
import { readBy } from './codex-reads.js';
import { sum, textOfContent, tokensOfContent } from './content.js';
import { CHARACTERS_BY_FOUR, type ImportOptions, isRecord } from './source.js';

type Count = (text: string) => number;
type ItemEntry = Extract<CodexEntry, { type: 'item' }>;

interface Reply {
  readonly type: 'reply';
  readonly parts: ItemEntry[];
  usage: CodexUsage | undefined;
}

export function* eventsOf(entries: readonly CodexEntry[], options: ImportOptions): Generator<AgentEvent> {
  const { count } = options.tokenizer ?? CHARACTERS_BY_FOUR;
  for (const one of inOrder(entries)) {
    if (one.type === 'reply') yield replied(one, count);
    else if (one.type === 'item') yield isResult(one) ? resultOf(one, count) : toldOf(one, count);
    else if (one.type === 'instructions') yield { type: 'text', kind: 'system', tok: count(one.text) };
    else if (one.type === 'compacted') {
      yield { type: 'boundary', kind: 'compact' };
      if (one.text !== '') yield { type: 'text', kind: 'summary', tok: count(one.text) };
    }
  }
}

const isCall = ({ item }: ItemEntry) => item.type.endsWith('_call');
const isResult = ({ item }: ItemEntry) => item.type.endsWith('_output');
const isOfModel = (entry: ItemEntry) =>
  isCall(entry) || entry.item.type === 'reasoning' || entry.item.role === 'assistant';

function replied({ parts, usage }: Reply, count: Count): AgentReply {
  const texts = parts.filter((part) => !isCall(part));
  const calls = parts.filter(isCall).map((part) => callOf(part, count));
  const text = texts.length > 0 ? spoken(texts, usage, count) : undefined;
  return {
    type: 'reply',
    at: parts[0]?.at,
    out: usage?.output_tokens ?? (text ?? 0) + sum(calls.map(({ tok }) => tok)),
    text,
    calls,
    usage: usage && billed(usage),
  };
}

/** Thoughts are kept out of sight, and how long they were is told with the usage alone. */
function spoken(texts: readonly ItemEntry[], usage: CodexUsage | undefined, count: Count): number {
  const [thoughts, said] = [
    texts.filter(({ item }) => item.type === 'reasoning'),
    texts.filter(({ item }) => item.type !== 'reasoning'),
  ];
  const read = sum(
    thoughts.map(({ item }) => tokensOfContent(item.summary, count) + tokensOfContent(item.content, count)),
  );
  const isHidden = thoughts.some(({ item }) => typeof item.encrypted_content === 'string');
  const thought = isHidden && usage ? usage.reasoning_output_tokens : read;
  return thought + sum(said.map(({ item }) => tokensOfContent(item.content, count)));
}

function callOf({ item, folder }: ItemEntry, count: Count): AgentCall {
  const given = item.arguments ?? item.input ?? item.action ?? '';
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return {
    id: item.call_id ?? item.id ?? undefined,
    of: readBy(item, folder),
    tok: count((item.name ?? '') + text),
  };
}

/** What is read from the cache is part of the input; what is written to it is, too, where that is told. */
function billed({
  input_tokens: input,
  cached_input_tokens: read,
  cache_write_input_tokens: write,
  ...rest
}: CodexUsage) {
  return { read, write, plain: Math.max(0, input - read - write), out: rest.output_tokens };
}

/** In the user's name the program tells of the machine and of instructions that lie there. */
const OF_PROGRAM =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|skill|turn_aborted)\b|# AGENTS\.md instructions)/;

function toldOf({ item }: ItemEntry, count: Count): AgentEvent {
  const isUser = item.role === 'user' && !OF_PROGRAM.test(textOfContent(item.content));
  return { type: 'text', kind: isUser ? 'user' : 'system', tok: tokensOfContent(item.content, count) };
}

function resultOf({ item }: ItemEntry, count: Count): AgentEvent {
  const { output } = item;
  const content = isRecord(output) ? output['content'] : output;
  return {
    type: 'result',
    call: item.call_id ?? undefined,
    tok: tokensOfContent(content, count),
    failed: (isRecord(output) && output['success'] === false) || hasFailed(textOfContent(content)),
  };
}

/** By the exit code, which stands in a line above the output, or after it where that is JSON. */
function hasFailed(text: string): boolean {
  const [above = ''] = text.split(/^Output:/m, 1);
  const code = /^(?:Exit code: |Process exited with code )(\d+)/m.exec(above) ?? inJson(text);
  return code !== null && Number(code[1]) !== 0;
}

const inJson = (text: string) =>
  text.startsWith('{"output":') ? /"exit_code":\s*(\d+)/.exec(text.slice(-200)) : null;

type Ordered = Reply | Exclude<CodexEntry, { type: 'usage' }>;

function inOrder(entries: readonly CodexEntry[]): Ordered[] {
  const ordered: Ordered[] = [];
  const first = entries.find((one) => one.type === 'usage' || (one.type === 'item' && isOfModel(one)));
  const isBefore = first?.type === 'usage';
  /** The reply that goes on, the one whose usage may come, and usage whose reply may come. */
  let [open, last, waiting]: [Reply?, Reply?, CodexUsage?] = [];
  for (const entry of entries) {
    if (entry.type === 'usage') {
      if (isBefore) waiting = entry.usage;
      else if (last) last.usage = entry.usage;
      open = last = undefined;
    } else if (entry.type === 'item' && isOfModel(entry)) {
      if (!open) ordered.push((open = last = { type: 'reply', parts: [], usage: waiting }));
      open.parts.push(entry);
      waiting = undefined;
    } else {
      ordered.push(entry);
      const isAmid = entry.type === 'item' && isResult(entry);
      if (!isAmid) last = undefined;
      if (!isAmid || !isBefore) open = undefined;
    }
  }
  return ordered;
}
