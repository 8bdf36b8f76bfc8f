/** What goes wrong with one answer. `isDone`: whether the request was carried out all the same; the client cannot know. */
export type QdrantFault = {
  /** Only requests whose `METHOD path` it matches; others pass by. */
  readonly on?: RegExp;
  readonly isDone?: boolean;
} & (
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Default: the service's envelope of an error. */
      readonly body?: unknown;
    }
  /** The socket is destroyed instead of an answer. */
  | { readonly kind: 'reset' }
  /** Nothing is answered until the client goes. */
  | { readonly kind: 'silence' }
  /** Status 200 and the first half of the body, then the socket is destroyed. */
  | { readonly kind: 'half' }
  /** Status 200, and this body. */
  | { readonly kind: 'body'; readonly body: unknown }
);
