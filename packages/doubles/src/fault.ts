/** What goes wrong with one answer. `after` counts the events that are sent in good order before the fault. */
export type Fault =
  /** An answer with this status instead of a stream. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
  /** The socket is destroyed. */
  | { readonly kind: 'destroy'; readonly after: number }
  /** Headers, `after` events, then nothing until the client goes. */
  | { readonly kind: 'silence'; readonly after: number }
  /** Not even headers. */
  | { readonly kind: 'no-answer' }
  /** An `error` object inside the stream of status 200. */
  | { readonly kind: 'error-event'; readonly after: number; readonly error?: object }
  /** An event whose data is no JSON, then the end. */
  | { readonly kind: 'garbage'; readonly after: number }
  /** The stream ends in good order, but without its last events and `[DONE]`. */
  | { readonly kind: 'end'; readonly after: number }
  /** Milliseconds between events. */
  | { readonly kind: 'slow'; readonly every: number }
  /** Every event is written in pieces of so many bytes, wherever characters end. */
  | { readonly kind: 'split'; readonly bytes: number };
