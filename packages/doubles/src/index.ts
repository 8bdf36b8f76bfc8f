export type {
  EmbeddingDatum,
  EmbeddingsFault,
  EmbeddingsOptions,
  EmbeddingsRequest,
} from './openai/embeddings.js';
export type { DoubleCall, DoubleReply, Fault } from './openai/reply.js';
export { specSchemas, validateChatRequest } from './openai/validate.js';
export {
  startOpenAIDouble,
  type OpenAIDouble,
  type OpenAIDoubleOptions,
  type RecordedRequest,
} from './openai/server.js';
export type { ChatCall, ChatMessage, ChatRequest, ChatTool, ContentPart } from './openai/types.js';
export { type PromptToken, promptTokens, tokensOf } from './openai/prompt.js';
export type { CacheOptions } from './openai/usage.js';
