/** Lines of a Claude Code log, as far as they matter to a trace. Other lines are passed over, and it is said which. */
import { z } from 'zod';
import { billedTokens as tokens } from './billed-tokens.js';
import { readBytes, readLines } from './lines.js';
import { type ImportOptions, isRecord } from './source.js';

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});
const usage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
});
const line = z.object({
  type: z.enum(['user', 'assistant']),
  uuid: z.string().optional(),
  parentUuid: z.string().nullish(),
  sessionId: z.string().optional(),
  timestamp: z.string().optional(),
  isSidechain: z.boolean().optional(),
  isCompactSummary: z.boolean().optional(),
  agentId: z.string().optional(),
  message: z.object({
    id: z.string().optional(),
    content: z.union([z.string().transform((text) => [{ type: 'text', text }]), z.array(block)]),
    usage: usage.nullish(),
  }),
});

export type Block = z.output<typeof block>;
export type Usage = z.output<typeof usage>;

export interface Entry {
  readonly session: string;
  readonly role: 'user' | 'assistant';
  /** Lines of one reply share it; undefined for a line that stands alone. */
  readonly reply: string | undefined;
  /** Milliseconds since 1970; undefined when the log does not say. */
  readonly at: number | undefined;
  readonly isSummary: boolean;
  readonly blocks: readonly Block[];
  readonly usage: Usage | undefined;
}

/** What a log holds besides messages; none of it is a page. */
export const OTHERS: ReadonlySet<unknown> = new Set([
  'summary',
  'system',
  'progress',
  'file-history-snapshot',
  'queue-operation',
  'attachment',
  'custom-title',
  'ai-title',
  'agent-name',
  'last-prompt',
  'permission-mode',
  'mode',
  'pr-link',
]);

/** In the order of the file; a line whose id came before is left out, also if that was in another file of the import. */
export async function readEntries(file: string, options: ImportOptions): Promise<Entry[]> {
  const seen = options.seen ?? new Set<string>();
  const agents = new Map<string, string>();
  const entries: Entry[] = [];
  for await (const { text, number } of readLines(readBytes(file))) {
    if (text.trim() === '') continue;
    const skip = (why: string) => options.onSkipped?.({ file, line: number, why });
    const read = parsed(text);
    if (typeof read === 'string') skip(read);
    else if (read.uuid !== undefined && seen.has(read.uuid)) skip('it is there already');
    else {
      if (read.uuid !== undefined) seen.add(read.uuid);
      const agent = agentOf(read, agents);
      if (agent !== undefined && (options.sidechains ?? 'left-out') === 'left-out')
        skip('it is of a sidechain');
      else entries.push(entryOf(read, agent));
    }
  }
  return entries;
}

type Line = z.output<typeof line>;

/** Why it is not read, when it is not. */
function parsed(text: string): Line | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isRecord(value)) return 'it is no object';
  if (value['type'] !== 'user' && value['type'] !== 'assistant')
    return OTHERS.has(value['type']) ? 'it is no message' : 'its type is not known';
  const read = line.safeParse(value);
  return read.success
    ? read.data
    : `its ${read.error.issues[0]?.path[0]?.toString() ?? 'shape'} is not as expected`;
}

/** Logs of before do not name who works: a line without a parent of the same kind begins the work of another. */
function agentOf(
  { isSidechain, agentId, uuid, parentUuid }: Line,
  agents: Map<string, string>,
): string | undefined {
  if (isSidechain !== true) return undefined;
  const agent = agentId ?? agents.get(parentUuid ?? '') ?? uuid ?? 'sidechain';
  if (uuid !== undefined) agents.set(uuid, agent);
  return agent;
}

function entryOf(
  { type, sessionId = '', timestamp, isCompactSummary, message }: Line,
  agent: string | undefined,
): Entry {
  const at = Date.parse(timestamp ?? '');
  return {
    session: agent === undefined ? sessionId : `${sessionId}/${agent}`,
    role: type,
    reply: type === 'assistant' ? message.id : undefined,
    at: Number.isFinite(at) ? at : undefined,
    isSummary: isCompactSummary === true,
    blocks: message.content,
    usage: message.usage ?? undefined,
  };
}
