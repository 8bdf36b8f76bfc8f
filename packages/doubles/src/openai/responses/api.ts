import { malformedUnicode } from '../../malformed.js';
import type { ModelApi } from '../api.js';
import { specSchemas, unknownArguments } from '../validate.js';
import { responseBody, responseEvents } from './answer.js';
import { tokensOfResponses } from './prompt.js';
import { responsesProblems } from './sequence.js';
import type { ResponsesRequest } from './types.js';

const OVERLOADED = { code: 'server_error', message: 'The server is overloaded', param: null };

export const RESPONSES_API: ModelApi = {
  path: '/responses',
  problems: validateResponsesRequest,
  read(body) {
    const request = body as ResponsesRequest;
    return {
      model: request.model,
      isStreamed: request.stream === true,
      tokens: tokensOfResponses(request),
      output: request.max_output_tokens ?? 0,
      cacheKey: request.prompt_cache_key ?? '',
    };
  },
  frames: (reply, body, { n, ...size }) =>
    responseEvents(reply, body as ResponsesRequest, n, size).map(frameOf),
  whole: (reply, body, { n, ...size }) => responseBody(reply, body as ResponsesRequest, n, size),
  errorFrame: (error = OVERLOADED) => frameOf({ type: 'error', ...error, sequence_number: 0 }),
};

/**
 * What the real service would refuse in the body of a Responses request; empty when it would accept it. Published schema
 * first, since the rules of the sequence can only be asked of a body that has the right shape.
 */
export function validateResponsesRequest(body: unknown): string[] {
  return validateInput(body, 'CreateResponse');
}

/** The same of a request to count. */
export function validateResponsesCount(body: unknown): string[] {
  return validateInput(body, 'TokenCountsBody');
}

function validateInput(body: unknown, schema: 'CreateResponse' | 'TokenCountsBody'): string[] {
  const malformed = malformedUnicode(body, 'body');
  if (malformed.length > 0) return malformed;
  const shape = specSchemas().problems(schema, body);
  if (shape.length > 0) return shape;
  return [...unknownArguments(schema, body as object), ...responsesProblems(body as ResponsesRequest)];
}

function frameOf(event: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
