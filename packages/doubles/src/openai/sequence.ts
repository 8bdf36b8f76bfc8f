import type { ChatCall, ChatMessage, ChatRequest, ChatTool } from './types.js';

/**
 * The rules that the real service enforces beyond its published schema. Each returns what is wrong in
 * words close to the service's own; together they say whether a conversation is one that a model could
 * have had. Where sources disagree the strictest is taken, so that what passes here passes anywhere.
 */
export function sequenceProblems(request: ChatRequest): string[] {
  return [
    ...request.messages.flatMap((message, at) => messageProblems(message, `messages[${at}]`)),
    ...pairProblems(request.messages),
    ...toolProblems(request.tools),
    ...optionProblems(request),
  ];
}

const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const SPEAKER_NAME = /^[^\s<|\\/>]{1,64}$/;
const LONGEST_CALL_ID = 40;

const FIELDS: Record<ChatMessage['role'], readonly string[]> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'audio', 'function_call'],
  tool: ['role', 'content', 'tool_call_id'],
  function: ['role', 'content', 'name'],
};

function messageProblems(message: ChatMessage, where: string): string[] {
  const problems = unknownFields(message, where);
  if (message.name !== undefined && !SPEAKER_NAME.test(message.name))
    problems.push(`${where}.name: expected a string that matches the pattern ${SPEAKER_NAME.source}`);
  if (message.role === 'assistant') return [...problems, ...assistantProblems(message, where)];
  return [...problems, ...contentProblems(message, where)];
}

function unknownFields(message: ChatMessage, where: string): string[] {
  const extra = Object.keys(message).filter((key) => !FIELDS[message.role].includes(key));
  return extra.map((key) => `${where}: additional properties are not allowed ('${key}' was unexpected)`);
}

function assistantProblems(message: ChatMessage, where: string): string[] {
  const calls = message.tool_calls;
  const says = message.content !== undefined && message.content !== null;
  if (calls?.length === 0) return [`${where}.tool_calls: [] is too short`];
  if (!says && calls === undefined && typeof message.refusal !== 'string')
    return [`${where}: an assistant message needs content or tool_calls`];
  return [
    ...(says ? contentProblems(message, where) : []),
    ...(calls ?? []).flatMap((call, at) => callProblems(call, `${where}.tool_calls[${at}]`)),
    ...duplicates(calls ?? [], where),
  ];
}

function contentProblems(message: ChatMessage, where: string): string[] {
  const { content } = message;
  if (content === '' || content === undefined || content === null || content.length === 0)
    return [`${where}.content: must not be empty`];
  if (typeof content === 'string') return [];
  return content.flatMap((part, at) => {
    if (part.type === 'text' && part.text === '') return [`${where}.content[${at}].text: must not be empty`];
    if (
      part.type === 'image_url' &&
      !/^(https?:|data:image\/[a-z+.-]+;base64,.)/.test(part.image_url?.url ?? '')
    )
      return [`${where}.content[${at}].image_url: not a valid URL or base64 image`];
    return [];
  });
}

function callProblems(call: ChatCall, where: string): string[] {
  const problems: string[] = [];
  if (call.id === '' || call.id.length > LONGEST_CALL_ID)
    problems.push(`${where}.id: expected 1 to ${LONGEST_CALL_ID} characters, got ${call.id.length}`);
  if (!FUNCTION_NAME.test(call.function.name))
    problems.push(`${where}.function.name: does not match ${FUNCTION_NAME.source}`);
  if (!isObjectText(call.function.arguments))
    problems.push(`${where}.function.arguments: not the JSON text of an object`);
  return problems;
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function duplicates(calls: readonly ChatCall[], where: string): string[] {
  const ids = calls.map((call) => call.id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  return twice.map((id) => `${where}: duplicate tool_call id '${id}'`);
}

/** Every call is answered once, right after the message that made it; nothing else is answered. */
function pairProblems(messages: readonly ChatMessage[]): string[] {
  const problems: string[] = [];
  let open = new Set<string>();
  messages.forEach((message, at) => {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? ''))
        problems.push(
          `messages[${at}]: role 'tool' must be a response to a preceding message with 'tool_calls' (tool_call_id '${message.tool_call_id}')`,
        );
      return;
    }
    problems.push(...unanswered(open, at));
    open = new Set((message.tool_calls ?? []).map((call) => call.id));
  });
  return [...problems, ...unanswered(open, messages.length)];
}

function unanswered(open: ReadonlySet<string>, before: number): string[] {
  if (open.size === 0) return [];
  const ids = [...open].join(', ');
  return [
    `an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': none for ${ids} before messages[${before}]`,
  ];
}

function toolProblems(tools: readonly ChatTool[] | undefined): string[] {
  if (tools === undefined) return [];
  if (tools.length === 0) return ['tools: [] is too short'];
  const names = tools.map((tool) => tool.function.name);
  return tools.flatMap(({ function: { name, parameters } }, at) => [
    ...(FUNCTION_NAME.test(name)
      ? []
      : [`tools[${at}].function.name: does not match ${FUNCTION_NAME.source}`]),
    ...(names.indexOf(name) === at ? [] : [`tools[${at}].function.name: '${name}' is there twice`]),
    ...(parameters === undefined || parameters['type'] === 'object'
      ? []
      : [`tools[${at}].function.parameters: schema must be a JSON Schema of 'type: "object"'`]),
  ]);
}

function optionProblems(request: ChatRequest): string[] {
  const problems: string[] = [];
  const hasTools = request.tools !== undefined;
  if (!hasTools && request.tool_choice !== undefined)
    problems.push("'tool_choice' is only allowed when 'tools' are specified");
  if (!hasTools && request.parallel_tool_calls !== undefined)
    problems.push("'parallel_tool_calls' is only allowed when 'tools' are specified");
  if (request.stream !== true && request.stream_options)
    problems.push("'stream_options' is only allowed when 'stream' is enabled");
  const limit = request.max_completion_tokens ?? request.max_tokens;
  if (typeof limit === 'number' && limit < 1) problems.push(`max_completion_tokens: ${limit} is less than 1`);
  if (request.max_completion_tokens && request.max_tokens)
    problems.push("setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported");
  return problems;
}
