import { blocksOf, systemBlocks, turnsOf, type CountRequest, type Turn, type WireBlock } from './types.js';

/**
 * The rules that the service enforces beyond the shape, in its words where they are known from reports. Where sources
 * disagree the strictest is taken, so that what passes here passes anywhere.
 */
export function sequenceProblems(request: CountRequest, prefill: boolean): string[] {
  const turns = turnsOf(request.messages);
  return [
    ...emptyProblems(request),
    ...(turns[0]?.role === 'assistant' ? ['messages: first message must use the "user" role'] : []),
    ...roleProblems(turns),
    ...idProblems(turns),
    ...pairProblems(turns),
    ...finalProblems(turns, prefill),
    ...toolProblems(request, turns),
  ];
}

function emptyProblems(request: CountRequest): string[] {
  const messages = request.messages.flatMap((message, at) => {
    const where = `messages.${at}`;
    if (message.content.length === 0) return [`${where}: all messages must have non-empty content`];
    return blocksOf(message).flatMap((block) => emptyBlock(block, where));
  });
  const system = systemBlocks(request.system).flatMap((block) => emptyBlock(block, 'system'));
  return [...messages, ...system];
}

function emptyBlock(block: WireBlock, where: string): string[] {
  if (block.type === 'text') return emptyText(block.text, where);
  if (block.type !== 'tool_result') return [];
  const { content } = block;
  if (content === undefined || content.length === 0)
    return [`${where}: tool_result content must not be empty`];
  if (typeof content === 'string') return emptyText(content, where);
  return content.flatMap((inner) => (inner.type === 'text' ? emptyText(inner.text, where) : []));
}

function emptyText(text: string, where: string): string[] {
  if (text === '') return [`${where}: text content blocks must be non-empty`];
  return text.trim() === '' ? [`${where}: text content blocks must contain non-whitespace text`] : [];
}

const BY_ROLE: Record<Turn['role'], readonly WireBlock['type'][]> = {
  user: ['text', 'image', 'tool_result'],
  assistant: ['text', 'tool_use', 'thinking', 'redacted_thinking'],
};

function roleProblems(turns: readonly Turn[]): string[] {
  return turns.flatMap(({ role, blocks }, at) =>
    blocks
      .filter((block) => !BY_ROLE[role].includes(block.type))
      .map((block) => `messages.${at}: \`${block.type}\` blocks are not permitted in \`${role}\` messages`),
  );
}

function idProblems(turns: readonly Turn[]): string[] {
  const ids = turns.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
  );
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  return [...new Set(twice)].map((id) => `messages: \`tool_use\` ids must be unique (${id})`);
}

/** Every call is answered once, at the head of the next user turn; nothing else is answered. */
function pairProblems(turns: readonly Turn[]): string[] {
  return turns.flatMap((turn, at) => [
    ...unanswered(turn, turns[at + 1], at),
    ...(turn.role === 'user' ? orphans(turn, turns[at - 1], at) : []),
  ]);
}

function unanswered(turn: Turn, next: Turn | undefined, at: number): string[] {
  const answered = resultIds(next?.blocks ?? []);
  const open = callIds(turn.blocks).filter((id) => !answered.includes(id));
  if (open.length === 0) return [];
  return [
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`,
  ];
}

function orphans({ blocks }: Turn, before: Turn | undefined, at: number): string[] {
  const asked = callIds(before?.blocks ?? []);
  const results = resultIds(blocks);
  const foreign = results.filter((id) => !asked.includes(id));
  const twice = results.filter((id, place) => results.indexOf(id) !== place);
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
  const isLate = firstOther >= 0 && resultIds(blocks.slice(firstOther)).length > 0;
  return [
    ...foreign.map(
      (id) => `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`,
    ),
    ...twice.map((id) => `messages.${at}: each tool_use must have a single result. Found multiple for ${id}`),
    ...(isLate ? [`messages.${at}: \`tool_result\` blocks must come first`] : []),
  ];
}

function callIds(blocks: readonly WireBlock[]): string[] {
  return blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

function resultIds(blocks: readonly WireBlock[]): string[] {
  return blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

function finalProblems(turns: readonly Turn[], prefill: boolean): string[] {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return [];
  if (!prefill)
    return [
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    ];
  const block = last.blocks.at(-1);
  return block?.type === 'text' && block.text !== block.text.trimEnd()
    ? ['messages: final assistant content cannot end with trailing whitespace']
    : [];
}

function toolProblems({ tools, tool_choice }: CountRequest, turns: readonly Turn[]): string[] {
  const names = (tools ?? []).map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const uses = turns.some(({ blocks }) =>
    blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  );
  return [
    ...twice.map((name) => `tools: Tool names must be unique (${name})`),
    ...(names.length === 0 && tool_choice !== undefined ? ['tool_choice: may only be given with tools'] : []),
    ...(names.length === 0 && uses
      ? ['Requests which have `tool_use` or `tool_result` blocks in messages must define tools']
      : []),
  ];
}
