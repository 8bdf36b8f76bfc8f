export type {
  EmbeddingDatum,
  EmbeddingsFault,
  EmbeddingsOptions,
  EmbeddingsRequest,
} from './openai/embeddings.js';
export type { Fault } from './fault.js';
export type { RecordedRequest } from './http.js';
export {
  anthropicInProcess,
  type AnthropicInProcess,
  type AnthropicInProcessOptions,
  type HeardRequest,
  openAIInProcess,
  type OpenAIInProcess,
  type OpenAIInProcessOptions,
} from './in-process.js';
export { type ProxyDouble, type ProxyOptions, startProxy } from './proxy.js';
export type { DoubleCall, DoubleReply } from './openai/reply.js';
export { specSchemas, validateChatRequest } from './openai/validate.js';
export { startOpenAIDouble, type OpenAIDouble, type OpenAIDoubleOptions } from './openai/server.js';
export type { ChatCall, ChatMessage, ChatRequest, ChatTool, ContentPart } from './openai/types.js';
export { type PromptToken, promptTokens, tokensOf } from './openai/prompt.js';
export type { CacheOptions } from './openai/usage.js';
export {
  startAnthropicDouble,
  type AnthropicDouble,
  type AnthropicDoubleOptions,
} from './anthropic/server.js';
export type { MessagesCall, MessagesReply, ReplyBlock, StopReason } from './anthropic/reply.js';
export type { ModelRules } from './anthropic/rules.js';
export type { CountRequest, MessagesRequest, WireBlock, WireMessage } from './anthropic/types.js';
export { validateCountRequest, validateMessagesRequest } from './anthropic/validate.js';
export { inputTokens } from './anthropic/prompt.js';
export { signerOf } from './anthropic/signature.js';
export { validateResponsesRequest } from './openai/responses/api.js';
export { tokensOfResponses } from './openai/responses/prompt.js';
export type { ResponsesItem, ResponsesRequest, ResponsesTool } from './openai/responses/types.js';
export { seal as sealReasoning } from './openai/responses/sealed.js';
export { startQdrantDouble, type QdrantDouble, type QdrantDoubleOptions } from './qdrant/server.js';
export type { QdrantState } from './qdrant/collections.js';
export type { QdrantFault } from './qdrant/fault.js';
export type { StrictMode as QdrantStrictMode } from './qdrant/types.js';
export { asPostgres, findPostgres, freePort, type PostgresServer, startPostgres } from './postgres/server.js';
export { type PoolerDouble, type PoolerOptions, startPoolerDouble } from './postgres/pooler.js';
export { type Bouncer, type BouncerOptions, findBouncer, startBouncer } from './postgres/bouncer.js';
