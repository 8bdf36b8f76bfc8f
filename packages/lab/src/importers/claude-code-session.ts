/** One session of a Claude Code log as lines of a trace: a reply is a step; texts, calls and results are pages. */
import type { PageLine, TraceLine } from '../trace/format.js';
import { isDefined, Readings, type TraceBuilder } from './builder.js';
import type { Block, Entry, Usage } from './claude-code-log.js';
import { CHARACTERS_BY_FOUR, type ImportOptions, isRecord } from './source.js';
import { stableJson } from './stable-json.js';

interface Reply {
  readonly at: number | undefined;
  readonly blocks: Block[];
  usage: Usage | undefined;
}

/** Tokens of a picture of usual size, as the provider counts them: its text in the log is base64. */
const IMAGE_TOKENS = 1_500;

export class Session {
  readonly #trace: TraceBuilder;
  readonly #name: (text: string) => string;
  readonly #count: (text: string) => number;
  readonly #readings = new Readings();
  /** Calls by their ids: what they are of, and the page they stand in. */
  readonly #calls = new Map<string, { readonly key: string; readonly page: number }>();
  #session = '';
  /** When it began, and how late the trace was then. */
  #start: number | undefined;
  #offset = 0;

  constructor(trace: TraceBuilder, name: (text: string) => string, options: ImportOptions) {
    this.#trace = trace;
    this.#name = name;
    this.#count = (options.tokenizer ?? CHARACTERS_BY_FOUR).count;
    this.#offset = trace.time;
  }

  *lines(entries: readonly Entry[]): Generator<TraceLine> {
    this.#session = this.#name(entries[0]?.session ?? '');
    for (const one of inOrder(entries)) {
      if ('role' in one) yield* this.#said(one);
      else yield* this.#reply(one);
    }
  }

  *#reply({ at, blocks, usage }: Reply): Generator<TraceLine> {
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    const needs = calls.map((call) => this.#readings.latest(keyOf(call))).filter(isDefined);
    const counted = sum(blocks.map((block) => this.#size(block)));
    yield this.#trace.step(usage?.output_tokens ?? counted, needs, this.#since(at));
    if (usage) yield this.#trace.usage(billed(usage));
    yield* this.#text('assistant', blocks);
    for (const call of calls) {
      const page = this.#page({ kind: 'tool_call', tok: this.#size(call) });
      yield page;
      if (call.id !== undefined) this.#calls.set(call.id, { key: keyOf(call), page: page.id });
    }
  }

  *#said({ blocks, isSummary }: Entry): Generator<TraceLine> {
    for (const block of blocks) if (block.type === 'tool_result') yield* this.#result(block);
    if (isSummary) yield this.#trace.boundary('compact');
    yield* this.#text(isSummary ? 'summary' : 'user', blocks);
  }

  *#text(kind: 'user' | 'assistant' | 'summary', blocks: readonly Block[]): Generator<TraceLine> {
    const texts = blocks.filter(({ type }) => type !== 'tool_use' && type !== 'tool_result');
    if (texts.length > 0) yield this.#page({ kind, tok: sum(texts.map((block) => this.#size(block))) });
  }

  *#result(block: Block): Generator<TraceLine> {
    const call = this.#calls.get(block.tool_use_id ?? '');
    const failed = block.is_error === true;
    const of = call && {
      obj: this.#name(call.key),
      ver: this.#readings.nextVersion(call.key),
      parent: call.page,
    };
    const page = this.#page({
      kind: 'tool_result',
      tok: this.#size(block),
      ...of,
      ...(failed && { failed }),
    });
    yield page;
    if (!call || failed) return;
    const before = this.#readings.add(call.key, page.id);
    if (before !== undefined) yield this.#trace.supersede(before, page.id);
  }

  #page(told: Pick<PageLine, 'kind' | 'tok'> & Partial<PageLine>): PageLine {
    return this.#trace.page({ session: this.#session, ...told });
  }

  #since(at: number | undefined): number | undefined {
    if (at === undefined) return undefined;
    return this.#offset + (at - (this.#start ??= at));
  }

  #size({ type, text, thinking, name = '', input, content }: Block): number {
    if (type === 'image') return IMAGE_TOKENS;
    if (type === 'tool_use') return this.#count(name + JSON.stringify(input ?? {}));
    return this.#count(text ?? thinking ?? '') + this.#sizeOfContent(content);
  }

  #sizeOfContent(content: unknown): number {
    if (typeof content === 'string') return this.#count(content);
    if (!Array.isArray(content)) return 0;
    return sum(content.map((one) => (isImage(one) ? IMAGE_TOKENS : this.#count(textOf(one)))));
  }
}

const isImage = (part: unknown) => isRecord(part) && part['type'] === 'image';

function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  return isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function billed({ cache_read_input_tokens: read, cache_creation_input_tokens: write, ...usage }: Usage) {
  return { read, write, plain: usage.input_tokens, out: usage.output_tokens };
}

/** What a call is a reading of: `Read` of a file is of the file, whatever part of it; any other call is of its arguments. */
function keyOf({ name = '', input }: Block): string {
  const path = isRecord(input) ? input['file_path'] : undefined;
  return name === 'Read' && typeof path === 'string' ? `file ${path}` : `${name} ${stableJson(input)}`;
}

/** A reply is logged a block a line; its lines become one, where the first stands. The last usage is the whole one. */
function inOrder(entries: readonly Entry[]): (Entry | Reply)[] {
  const [ordered, replies]: [(Entry | Reply)[], Map<string, Reply>] = [[], new Map()];
  for (const entry of entries) {
    if (entry.role === 'user') ordered.push(entry);
    else {
      const known = replies.get(entry.reply ?? '');
      const reply = known ?? { at: entry.at, blocks: [], usage: undefined };
      reply.blocks.push(...entry.blocks);
      reply.usage = entry.usage ?? reply.usage;
      if (!known) ordered.push(reply);
      if (entry.reply !== undefined) replies.set(entry.reply, reply);
    }
  }
  return ordered;
}
