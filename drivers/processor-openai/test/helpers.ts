import type { RequestSettings } from '../src/chat/request.js';
import type { ResponsesSettings } from '../src/responses/request.js';

export {
  call,
  collect,
  hello,
  instantTiming,
  lookTool,
  message,
  replyOf,
  request,
  result,
  text,
} from '@pagefault/conformance';

export const settings: RequestSettings = {
  model: 'gpt-4o',
  maxOutput: 1_000,
  images: true,
  outputLimitField: 'max_completion_tokens',
  parallelCalls: true,
  extraBody: {},
};

export const responsesSettings: ResponsesSettings = {
  model: 'o3',
  maxOutput: 1_000,
  images: true,
  reasons: true,
  parallelCalls: true,
  strictTools: false,
  extraBody: {},
};
