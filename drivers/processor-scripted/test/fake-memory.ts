import type {
  CallPart,
  InferRequest,
  Message,
  Part,
  ProcessorDriver,
  Reply,
  ResultPart,
  Role,
  ToolDefinition,
} from '@pagefault/contracts';

/** A small kernel: runs a processor's calls against memory that is a few arrays. */
export interface FakeMemory {
  human: string;
  readonly messages: Message[];
  readonly passages: Passage[];
  /** Sizes and switches that tests turn. */
  readonly settings: Settings;
  /** Every call that was run, as `name:arguments`. */
  readonly calls: string[];
}

export interface Passage {
  readonly source: string;
  readonly text: string;
}

export interface Settings {
  readonly limit: number;
  readonly perPage: number;
  /** Overrides what a tool gives: an error, nonsense. */
  readonly answer?: (call: CallPart) => Pick<ResultPart, 'text' | 'isError'> | undefined;
  readonly tools: readonly string[];
  /** Drops all but the user's message and the newest page before each cycle, as hard eviction does. */
  readonly evict: boolean;
  /** Blocks stay as they were rendered at the beginning, as between two reclaims of the `stable` layout. */
  readonly frozenBlocks: boolean;
  /** `native`: no `send_message` and no `request_heartbeat`; plain text ends the turn. */
  readonly dialect: 'memgpt' | 'native';
}

export const TOOLS = [
  'send_message',
  'core_memory_append',
  'core_memory_replace',
  'conversation_search',
  'conversation_search_date',
  'archival_memory_insert',
  'archival_memory_search',
  'page_in',
];

export function fakeMemory(settings: Partial<Settings> = {}): FakeMemory {
  const dialect = 'memgpt' as const;
  const defaults = { limit: 2000, perPage: 5, tools: TOOLS, evict: false, frozenBlocks: false, dialect };
  return { human: '', messages: [], passages: [], settings: { ...defaults, ...settings }, calls: [] };
}

export interface TurnOutcome {
  readonly said: readonly string[];
  readonly cycles: number;
}

/** More cycles than any well-behaved turn takes. */
export const CYCLE_CAP = 60;

/** Sends one message and runs the turn to its end. Throws when the turn does not end within `CYCLE_CAP` cycles. */
export async function turn(
  memory: FakeMemory,
  processor: ProcessorDriver,
  text: string,
): Promise<TurnOutcome> {
  const start = memory.messages.length;
  add(memory, 'user', [{ type: 'text', text }]);
  const said: string[] = [];
  for (let cycle = 1; cycle <= CYCLE_CAP; cycle += 1) {
    const reply = await infer(processor, requestOf(memory, start));
    add(memory, 'assistant', reply.parts);
    said.push(...textOf(reply.parts));
    const calls = reply.parts.filter((part) => part.type === 'call');
    const results = calls.map((call) => run(memory, call, start, said));
    if (results.length > 0) add(memory, 'tool', results);
    const goesOn = calls.some((call) => asksToRunAgain(memory, call));
    if (!goesOn && !results.some((result) => result.isError) && said.length > 0)
      return { said, cycles: cycle };
  }
  throw new Error(`the turn did not end within ${CYCLE_CAP} cycles: ${memory.calls.slice(-3).join(' | ')}`);
}

function asksToRunAgain({ settings }: FakeMemory, call: CallPart): boolean {
  return settings.dialect === 'native' || call.arguments.includes('"request_heartbeat":true');
}

export async function infer(processor: ProcessorDriver, request: InferRequest): Promise<Reply> {
  for await (const event of processor.infer(request)) if (event.type === 'finish') return event.reply;
  throw new Error('the stream ended without finish');
}

function textOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

/** Fifteen minutes after the message before: a fixed clock. */
function add(memory: FakeMemory, role: Role, parts: readonly Part[]): void {
  const seq = memory.messages.length + 1;
  const at = Date.UTC(2026, 10, 29, 20, 0) + seq * 60_000;
  memory.messages.push({ id: `id-${seq}`, role, parts, at });
}

function requestOf(memory: FakeMemory, start: number): InferRequest {
  const { evict, frozenBlocks, limit, tools, dialect } = memory.settings;
  const human = frozenBlocks ? '' : memory.human;
  const open = memory.messages.slice(start);
  return {
    tools: tools
      .filter((name) => dialect === 'memgpt' || name !== 'send_message')
      .map((name) => tool(name, dialect)),
    system: `You are Pagefault.\n<block name="human" limit="${limit}">\n${human}\n</block>`,
    messages: evict ? [open[0]!, ...open.slice(1).slice(-2)] : memory.messages,
    maxOutput: 1024,
  };
}

function tool(name: string, dialect: 'memgpt' | 'native'): ToolDefinition {
  const flag =
    dialect === 'memgpt' && name !== 'send_message' ? { request_heartbeat: { type: 'boolean' } } : {};
  return { name, description: name, parameters: { type: 'object', properties: flag } };
}

function run(memory: FakeMemory, call: CallPart, start: number, said: string[]): ResultPart {
  memory.calls.push(`${call.name}:${call.arguments}`);
  const head = { type: 'result', callId: call.callId, name: call.name } as const;
  const forced = memory.settings.answer?.(call);
  if (forced !== undefined) return { ...head, ...forced };
  const input = JSON.parse(call.arguments) as Record<string, string & number>;
  return { ...head, ...effect(memory, call.name, input, start, said) };
}

function effect(
  memory: FakeMemory,
  name: string,
  input: Record<string, string & number>,
  start: number,
  said: string[],
): Pick<ResultPart, 'text' | 'isError'> {
  if (name === 'send_message') return { text: `sent ${said.push(input.message ?? '')}` };
  if (name === 'core_memory_append') return edit(memory, `${memory.human}\n${input.content ?? ''}`.trim());
  if (name === 'core_memory_replace') {
    const old: string = input.old_content ?? '';
    if (!memory.human.includes(old)) return { text: `"${old}" is not in the block`, isError: true };
    return edit(
      memory,
      memory.human.replace(old, () => input.new_content ?? ''),
    );
  }
  if (name === 'archival_memory_insert') {
    memory.passages.push({ source: 'user', text: input.content ?? '' });
    return { text: 'inserted' };
  }
  if (name === 'archival_memory_search') return search(memory, input, passagesOf(memory));
  if (name === 'conversation_search') return search(memory, input, saidBefore(memory, start));
  return { text: `there is no function ${name}`, isError: true };
}

function edit(memory: FakeMemory, text: string): Pick<ResultPart, 'text' | 'isError'> {
  if (text.length > memory.settings.limit) return { text: 'The block would be too long.', isError: true };
  memory.human = text;
  return { text: `The block is now:\n${text}` };
}

interface Entry {
  readonly handle: string;
  readonly text: string;
}

function passagesOf(memory: FakeMemory): Entry[] {
  return memory.passages.map(({ source, text }, at) => ({ handle: `p${at + 1}`, text, source }));
}

function saidBefore(memory: FakeMemory, start: number): Entry[] {
  return memory.messages.slice(0, start).flatMap((message, at) => {
    const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    if (text === '') return [];
    const date = new Date(message.at).toISOString();
    return [{ handle: `m${at + 1}`, at: date, speaker: '', role: message.role, text }];
  });
}

/** Entries by the number of words that they share with the query; those that share none follow, as with vectors. */
function search(memory: FakeMemory, input: Record<string, string & number>, entries: Entry[]) {
  const query: string = input.query ?? '';
  const page: number = input.page ?? 0;
  const words = query.toLowerCase().match(/[\p{L}\p{N}-]{2,}/gu) ?? [];
  const score = (entry: Entry) => words.filter((word) => entry.text.toLowerCase().includes(word)).length;
  const ranked = entries.toSorted((a, b) => score(b) - score(a));
  const { perPage } = memory.settings;
  const results = ranked.slice(page * perPage, (page + 1) * perPage);
  const pages = Math.ceil(ranked.length / perPage);
  return { text: JSON.stringify({ query, total: ranked.length, page, pages, results, note: '' }) };
}
