import type OpenAI from 'openai';

export type ResponsesBody = OpenAI.Responses.ResponseCreateParamsStreaming;
export type CountBody = OpenAI.Responses.InputTokenCountParams;
export type InputItem = OpenAI.Responses.ResponseInputItem;

/** The slice of the official SDK that the driver uses. */
export interface ResponsesClient {
  readonly responses: {
    create(
      body: ResponsesBody,
      options: { signal: AbortSignal; maxRetries: number; timeout: number },
    ): PromiseLike<AsyncIterable<unknown>>;
    /** For exact counts only. */
    readonly inputTokens?: {
      count(
        body: CountBody,
        options: { signal: AbortSignal; maxRetries: number; timeout: number },
      ): PromiseLike<{ readonly input_tokens: number }>;
    };
  };
}
