import { z } from 'zod';

/**
 * The fields that the service takes. Unknown ones are refused, as there ("Extra inputs are not permitted"). Kept to what a
 * client of ours may send: server tools, documents and citations are not known here. Version 2026-10-21
 * of the API: `temperature`, `top_p` and `top_k` are gone.
 */
const cacheMark = z.strictObject({
  type: z.literal('ephemeral'),
  ttl: z.enum(['5m', '1h']).optional(),
});
const markable = { cache_control: cacheMark.nullish() };
const wireId = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);

const text = z.strictObject({ type: z.literal('text'), text: z.string(), ...markable });
const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.base64().min(1),
  }),
  ...markable,
});
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: wireId,
  name: toolName,
  input: z.record(z.string(), z.unknown()),
  ...markable,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: wireId,
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image]))]).optional(),
  is_error: z.boolean().optional(),
  ...markable,
});
const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
});
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) });
const block = z.discriminatedUnion('type', [text, image, toolUse, toolResult, thinking, redacted]);

const message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(block)]),
});

const tool = z.strictObject({
  name: toolName,
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  ...markable,
});

const disableParallel = { disable_parallel_tool_use: z.boolean().optional() };
const toolChoice = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto'), ...disableParallel }),
  z.strictObject({ type: z.literal('any'), ...disableParallel }),
  z.strictObject({ type: z.literal('tool'), name: toolName, ...disableParallel }),
  z.strictObject({ type: z.literal('none') }),
]);

const thinkingSetting = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024) }),
  z.strictObject({ type: z.literal('adaptive'), display: z.enum(['summarized', 'omitted']).optional() }),
  z.strictObject({ type: z.literal('disabled') }),
]);

const input = {
  model: z.string().min(1),
  messages: z.array(message).min(1, 'at least one message is required').max(100_000),
  system: z.union([z.string(), z.array(text)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: toolChoice.optional(),
  thinking: thinkingSetting.optional(),
  output_config: z.strictObject({ effort: z.string() }).optional(),
};

const countSchema = z.strictObject(input);
const messagesSchema = z.strictObject({
  ...input,
  max_tokens: z.int().min(1),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.strictObject({ user_id: z.string().optional() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
});

/** What is wrong with the shape of a body, in words like the service's: `messages.0.content: Input should be …`. */
export function shapeProblems(body: unknown, kind: 'messages' | 'count'): string[] {
  const parsed = (kind === 'count' ? countSchema : messagesSchema).safeParse(body);
  if (parsed.success) return [];
  return parsed.error.issues
    .flatMap(innermost)
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Of a choice of forms, what is wrong with the one that fits best: where the trouble lies deepest. */
function innermost(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const branches = issue.errors.map((inner) => inner.flatMap(innermost));
  const depth = (found: readonly Issue[]): number => Math.max(0, ...found.map(({ path }) => path.length));
  const best = branches.toSorted((one, other) => depth(other) - depth(one))[0];
  if (best === undefined || best.length === 0) return [issue];
  return best.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}
