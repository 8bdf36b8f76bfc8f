import type OpenAI from 'openai';

export type ChatBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
export type ChatChunk = OpenAI.Chat.Completions.ChatCompletionChunk;

/** The slice of the official SDK that the driver uses. */
export interface ChatClient {
  readonly chat: {
    readonly completions: {
      create(
        body: ChatBody,
        options: { signal: AbortSignal; maxRetries: number; timeout: number },
      ): PromiseLike<AsyncIterable<ChatChunk>>;
    };
  };
}
