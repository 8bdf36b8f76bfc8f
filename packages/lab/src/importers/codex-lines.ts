/** What the lines of a Codex rollout hold, as far as they matter to a trace. */
import { z } from 'zod';
import { billedTokens as tokens } from './billed-tokens.js';

const optional = z.string().nullish();
export const item = z.looseObject({
  type: z.string(),
  role: optional,
  content: z.unknown().optional(),
  summary: z.unknown().optional(),
  encrypted_content: optional,
  id: optional,
  call_id: optional,
  name: optional,
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  action: z.unknown().optional(),
  output: z.unknown().optional(),
});
export const usage = z.object({
  input_tokens: tokens,
  cached_input_tokens: tokens,
  cache_write_input_tokens: tokens,
  output_tokens: tokens,
  reasoning_output_tokens: tokens,
});
export const meta = z.looseObject({
  id: z.string(),
  cwd: optional,
  forked_from_id: optional,
  source: z.unknown().optional(),
  base_instructions: z.looseObject({ text: z.string() }).nullish().catch(undefined),
});

export type CodexItem = z.output<typeof item>;
export type CodexUsage = z.output<typeof usage>;

/** Lines that no page is made of, and that tell nothing of one. */
export const OTHERS: ReadonlySet<unknown> = new Set([
  'event_msg',
  'world_state',
  'inter_agent_communication',
]);
export const ITEM = /^(?:message|reasoning|\w+_call|\w+_call_output|\w+_output)$/;

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A line of an older log, as it would stand in one of today's. */
export function bare(value: Readonly<Record<string, unknown>>) {
  const { type, id } = value;
  if (typeof type === 'string' && ITEM.test(type)) return { type: 'response_item', payload: value };
  if (type === undefined && typeof id === 'string' && 'timestamp' in value)
    return { type: 'session_meta', payload: value };
  const isState = value['record_type'] === 'state';
  return { type: isState ? 'event_msg' : type, payload: isState ? {} : undefined };
}
