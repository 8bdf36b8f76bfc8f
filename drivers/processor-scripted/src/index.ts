export { createScriptedProcessor, type ScriptedProcessor } from './driver.js';
export type { MintId, Pace, ReflexOptions, ScriptedOptions } from './options.js';
export { createReflexProcessor } from './reflex/processor.js';
export type {
  BrokenStream,
  Replies,
  ReplyFunction,
  ReplyScript,
  ScriptedCall,
  ScriptedReply,
} from './script/types.js';
