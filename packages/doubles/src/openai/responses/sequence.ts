/** Rules of the input that the published schema does not tell. The words are near to the service's. */
import { unseal } from './sealed.js';
import type { ResponsesItem, ResponsesRequest, ResponsesTool } from './types.js';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const LONGEST_CALL_ID = 64;

export function responsesProblems(request: ResponsesRequest): string[] {
  const items = typeof request.input === 'string' ? [] : request.input;
  return [
    ...(items.length === 0 && typeof request.input !== 'string' ? ['input: empty list'] : []),
    ...items.flatMap(contentProblems),
    ...items.flatMap(callProblems),
    ...pairProblems(items),
    ...items.flatMap((_, at) => reasoningProblems(items, at, request.model)),
    ...(request.tools ?? []).flatMap(toolProblems),
  ];
}

function contentProblems(item: ResponsesItem, at: number): string[] {
  if (item.role === undefined) return [];
  const where = `input[${at}].content`;
  if (item.content === undefined || item.content.length === 0) return [`${where}: empty`];
  if (typeof item.content === 'string') return [];
  const isAssistant = item.role === 'assistant';
  return item.content.flatMap((part) => {
    if (part.type.startsWith('input_') === isAssistant)
      return [`${where}: ${part.type} in a message of ${item.role}`];
    return part.text === '' ? [`${where}: empty text`] : [];
  });
}

function callProblems(item: ResponsesItem, at: number): string[] {
  if (item.type !== 'function_call' && item.type !== 'function_call_output') return [];
  const where = `input[${at}]`;
  const id = item.call_id ?? '';
  const problems = [
    ...(id === '' ? [`${where}.call_id: empty`] : []),
    ...(id.length > LONGEST_CALL_ID
      ? [`${where}.call_id: string too long. Expected a string with maximum length ${LONGEST_CALL_ID}`]
      : []),
  ];
  if (item.type === 'function_call_output') return problems;
  return [
    ...problems,
    ...(NAME.test(item.name ?? '') ? [] : [`${where}.name: does not match ${NAME.source}`]),
    ...(isObject(item.arguments ?? '') ? [] : [`${where}.arguments: not the JSON of an object`]),
    // The service looks up the reasoning of an item of its own; a stateless caller must not name one that it leaves out.
    ...(typeof item.id === 'string'
      ? [`Item '${item.id}' of type 'function_call' was provided without its required 'reasoning' item`]
      : []),
  ];
}

function pairProblems(items: readonly ResponsesItem[]): string[] {
  const open = new Set<string>();
  const known = new Set<string>();
  const problems: string[] = [];
  for (const { type, call_id } of items) {
    const id = call_id ?? '';
    if (type === 'function_call') {
      if (known.has(id)) problems.push(`Duplicate call_id ${id}`);
      known.add(id);
      open.add(id);
    }
    if (type === 'function_call_output' && !open.delete(id))
      problems.push(`No tool call found for function call output with call_id ${id}.`);
  }
  return [...problems, ...[...open].map((id) => `No tool output found for function call ${id}.`)];
}

function reasoningProblems(items: readonly ResponsesItem[], at: number, model: string): string[] {
  const item = items[at];
  if (item?.type !== 'reasoning') return [];
  const sealed = item.encrypted_content;
  const next = items.slice(at + 1).find(({ type }) => type !== 'reasoning');
  const isFollowed = next?.type === 'function_call' || next?.role === 'assistant';
  return [
    ...(isFollowed
      ? []
      : [`Item '${item.id}' of type 'reasoning' was provided without its required following item.`]),
    ...(typeof sealed === 'string' && unseal(model, sealed) === undefined
      ? [`The encrypted content for item ${item.id} could not be verified.`]
      : []),
    ...(typeof sealed === 'string' ? [] : [`Item with id '${item.id}' not found: it was not stored.`]),
  ];
}

function toolProblems({ name, strict, parameters }: ResponsesTool, at: number): string[] {
  const where = `tools[${at}]`;
  return [
    ...(NAME.test(name) ? [] : [`${where}.name: does not match ${NAME.source}`]),
    ...(strict === true && !isClosed(parameters ?? {})
      ? [
          `Invalid schema for function '${name}': 'additionalProperties' is required to be supplied and to be false, and 'required' to name every property.`,
        ]
      : []),
  ];
}

function isClosed(schema: { readonly [key: string]: unknown }): boolean {
  const properties = Object.entries(
    (schema['properties'] ?? {}) as { [key: string]: { [key: string]: unknown } },
  );
  const required = (schema['required'] ?? []) as readonly string[];
  return (
    schema['additionalProperties'] === false &&
    properties.every(
      ([name, inner]) => required.includes(name) && (inner['type'] !== 'object' || isClosed(inner)),
    )
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
