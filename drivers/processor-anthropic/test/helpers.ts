import type { RequestSettings } from '../src/request.js';

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
  model: 'claude-opus-4-8',
  maxOutput: 1_000,
  images: true,
  parallelCalls: true,
  thinking: undefined,
  thinksByDefault: false,
  replayThinking: true,
  cache: '5m',
  extraBody: {},
};
