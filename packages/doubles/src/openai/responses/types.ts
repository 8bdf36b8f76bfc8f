/** What a Responses request looks like once it has passed the schema: only the fields that the double reads. */
export interface ResponsesRequest {
  readonly model: string;
  readonly instructions?: string | null;
  readonly input: string | readonly ResponsesItem[];
  readonly tools?: readonly ResponsesTool[];
  readonly include?: readonly string[] | null;
  readonly stream?: boolean | null;
  readonly store?: boolean | null;
  readonly max_output_tokens?: number | null;
  readonly prompt_cache_key?: string | null;
  readonly parallel_tool_calls?: boolean | null;
}

/** A message, a call, its output, or reasoning: `type` tells, and is left out of messages. */
export interface ResponsesItem {
  readonly type?: string;
  readonly id?: string | null;
  readonly role?: string;
  readonly content?:
    string | readonly { readonly type: string; readonly text?: string; readonly image_url?: string }[];
  readonly call_id?: string | null;
  readonly name?: string | null;
  readonly arguments?: string;
  readonly output?: unknown;
  readonly encrypted_content?: string | null;
  readonly summary?: readonly { readonly text: string }[];
}

export interface ResponsesTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string | null;
  readonly parameters?: { readonly [key: string]: unknown } | null;
  readonly strict?: boolean | null;
}
