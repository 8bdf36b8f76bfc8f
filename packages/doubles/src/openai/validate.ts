import { malformedUnicode } from '../malformed.js';
import { loadSchemas, type SchemaName, type SpecSchemas } from './schema.js';
import { sequenceProblems } from './sequence.js';
import type { ChatRequest } from './types.js';

let schemas: SpecSchemas | undefined;

/** The published schemas, read once. */
export function specSchemas(): SpecSchemas {
  schemas ??= loadSchemas();
  return schemas;
}

/**
 * What the real service would refuse in the body of a chat request; empty when it would accept it.
 * Published schema first, since the sequence rules can only be asked of a body that has the right shape.
 */
export function validateChatRequest(body: unknown): string[] {
  const malformed = malformedUnicode(body, 'body');
  if (malformed.length > 0) return malformed;
  const shape = specSchemas().problems('CreateChatCompletionRequest', body);
  if (shape.length > 0) return shape;
  return [
    ...unknownArguments('CreateChatCompletionRequest', body as object),
    ...sequenceProblems(body as ChatRequest),
  ];
}

export function unknownArguments(schema: SchemaName, body: object): string[] {
  const known = specSchemas().properties(schema);
  return Object.keys(body)
    .filter((key) => !known.has(key))
    .map((key) => `unrecognized request argument supplied: ${key}`);
}
