import { malformedUnicode } from '../malformed.js';
import { markProblems } from './marks.js';
import { DEFAULT_RULES, type ModelRules } from './rules.js';
import { sequenceProblems } from './sequence.js';
import { shapeProblems } from './shape.js';
import { thinkingProblems } from './thinking.js';
import type { CountRequest, MessagesRequest } from './types.js';

/** What the real service would refuse in the body of a Messages request; empty when it would accept it. */
export function validateMessagesRequest(body: unknown, rules: Partial<ModelRules> = {}): string[] {
  const all = { ...DEFAULT_RULES, ...rules };
  const problems = validateInput(body, all, 'messages');
  if (problems.length > 0) return problems;
  const { max_tokens, model } = body as MessagesRequest;
  if (max_tokens <= all.maxOutput) return [];
  return [
    `max_tokens: ${max_tokens} > ${all.maxOutput}, which is the maximum allowed number of output tokens for ${model}`,
  ];
}

/** The same of a `count_tokens` request. */
export function validateCountRequest(body: unknown, rules: Partial<ModelRules> = {}): string[] {
  return validateInput(body, { ...DEFAULT_RULES, ...rules }, 'count');
}

// Shape first: the other rules can only be asked of a body that has the right one.
function validateInput(body: unknown, rules: ModelRules, kind: 'messages' | 'count'): string[] {
  const malformed = malformedUnicode(body, 'body');
  if (malformed.length > 0) return malformed;
  const shape = shapeProblems(body, kind);
  if (shape.length > 0) return shape;
  const request = body as CountRequest;
  return [
    ...sequenceProblems(request, rules.prefill),
    ...markProblems(request),
    ...thinkingProblems(request, rules),
  ];
}
