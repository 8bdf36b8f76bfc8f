import type { ModelRules } from './rules.js';
import { prefixHash, readSignature, spokenBlocks } from './signature.js';
import { turnsOf, type CountRequest, type MessagesRequest, type Turn, type WireBlock } from './types.js';

/** What is wrong with a request's thinking: how it asks for it, and what it sends back. */
export function thinkingProblems(
  request: CountRequest & { max_tokens?: number },
  rules: ModelRules,
): string[] {
  return [
    ...settingProblems(request, rules),
    ...signatureProblems(request, rules),
    ...placeProblems(turnsOf(request.messages), request, rules),
  ];
}

/** Whether the model thinks in its answer to this request. */
export function thinks({ thinking }: Pick<MessagesRequest, 'thinking'>, rules: ModelRules): boolean {
  return rules.alwaysThinks || thinking?.type === 'enabled' || thinking?.type === 'adaptive';
}

function settingProblems(
  { thinking, max_tokens, tool_choice }: CountRequest & { max_tokens?: number },
  rules: ModelRules,
): string[] {
  if (thinking === undefined) return [];
  const unsupported = `"thinking.type.${thinking.type}" is not supported for this model.`;
  if (thinking.type === 'disabled') return rules.alwaysThinks ? [unsupported] : [];
  if (thinking.type === 'adaptive' && rules.thinking === 'budget') return [unsupported];
  if (thinking.type === 'enabled' && rules.thinking === 'adaptive') return [unsupported];
  const forced = tool_choice?.type === 'any' || tool_choice?.type === 'tool';
  return [
    ...(forced ? ['Thinking may not be enabled when tool_choice forces tool use.'] : []),
    ...(thinking.type === 'enabled' && max_tokens !== undefined && max_tokens <= thinking.budget_tokens
      ? ['`max_tokens` must be greater than `thinking.budget_tokens`.']
      : []),
  ];
}

function signatureProblems(request: CountRequest, { bindsThinking }: ModelRules): string[] {
  const spoken = spokenBlocks(request);
  return spoken.flatMap(([, block], at) => {
    if (block.type !== 'thinking' && block.type !== 'redacted_thinking') return [];
    const known = readSignature(request.model, block);
    if (known === undefined) return [`messages: Invalid \`signature\` in \`${block.type}\` block`];
    return bindsThinking && known.prefix !== prefixHash(request, spoken.slice(0, at))
      ? [
          `messages: Invalid \`signature\` in \`${block.type}\` block. The block is bound to a different conversation.`,
        ]
      : [];
  });
}

function placeProblems(turns: readonly Turn[], request: CountRequest, rules: ModelRules): string[] {
  const ends = turns
    .filter(({ role, blocks }) => role === 'assistant' && isThinking(blocks.at(-1)))
    .map(() => 'messages: The final block in an assistant message cannot be `thinking`.');
  const continued = continuedTurn(turns);
  if (continued === undefined) return ends;
  const first = continued.blocks[0];
  if (request.thinking?.type === 'enabled' && !isThinking(first))
    return [
      ...ends,
      `messages: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
    ];
  return !thinks(request, rules) && continued.blocks.some(isThinking)
    ? [
        ...ends,
        'messages: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.',
      ]
    : ends;
}

/** The assistant's turn that the answer goes on with: the last one, when only results of its calls came since. */
function continuedTurn(turns: readonly Turn[]): Turn | undefined {
  const last = turns.at(-1);
  if (last?.role === 'assistant') return last;
  return last?.blocks[0]?.type === 'tool_result' ? turns.at(-2) : undefined;
}

function isThinking(block: WireBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
