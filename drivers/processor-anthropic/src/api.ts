import type Anthropic from '@anthropic-ai/sdk';

export type MessagesBody = Anthropic.Messages.MessageCreateParamsStreaming;
export type CountBody = Anthropic.Messages.MessageCountTokensParams;
export type WireTool = Anthropic.Messages.Tool;
export type WireMessage = Anthropic.Messages.MessageParam;
export type WireText = Anthropic.Messages.TextBlockParam;
export type WireThinking =
  Anthropic.Messages.ThinkingBlockParam | Anthropic.Messages.RedactedThinkingBlockParam;
export type WireBlock =
  | WireText
  | Anthropic.Messages.ImageBlockParam
  | Anthropic.Messages.ToolUseBlockParam
  | Anthropic.Messages.ToolResultBlockParam
  | WireThinking;

interface CallOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: number;
  readonly timeout: number;
}

/** The slice of the official SDK that the driver uses; the clients for Bedrock and Vertex have it too. */
export interface MessagesClient {
  readonly messages: {
    create(body: MessagesBody, options: CallOptions): PromiseLike<AsyncIterable<unknown>>;
    countTokens(body: CountBody, options: CallOptions): PromiseLike<{ readonly input_tokens: number }>;
  };
}
