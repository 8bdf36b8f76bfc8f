import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { errorBody } from './answer.js';
import type { Fault } from '../fault.js';
import { sumOfSlices } from './slices.js';
import { specSchemas } from './validate.js';

/** How the double embeds. All of it optional: then it is a well-behaved server with OpenAI's models. */
export interface EmbeddingsOptions {
  /** Numbers a vector, by model. Default: OpenAI's three. Other models are refused with 404. */
  readonly models?: Readonly<Record<string, number>>;
  /** Tokens of one text. Default 8,192, as the service has it. */
  readonly maxTokens?: number;
  /** Tokens of one request. Default 300,000, as the service has it. */
  readonly maxRequestTokens?: number;
  /** Texts of one request. Default 2,048, as the service has it. */
  readonly maxTexts?: number;
  /** What goes wrong with request `n`, counted from 0 over those that were accepted. */
  readonly fault?: (n: number, texts: readonly string[]) => EmbeddingsFault | undefined;
}

export type EmbeddingsFault =
  | Extract<Fault, { kind: 'status' } | { kind: 'no-answer' }>
  /** The list of vectors as the server that lies would give it. */
  | { readonly kind: 'data'; change(data: readonly EmbeddingDatum[]): readonly unknown[] };

export interface EmbeddingDatum {
  readonly object: 'embedding';
  readonly index: number;
  readonly embedding: readonly number[] | string;
}

export interface EmbeddingsRequest {
  readonly model: string;
  readonly input: string | readonly string[];
  readonly encoding_format?: 'float' | 'base64';
  readonly dimensions?: number;
}

const MODELS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1_536,
  'text-embedding-3-large': 3_072,
  'text-embedding-ada-002': 1_536,
};

function textTokens(text: string): number {
  return sumOfSlices(text, countTokens);
}

export interface EmbeddingsRefusal {
  readonly status: number;
  readonly body: object;
  readonly problems: readonly string[];
}

/** Why the service would refuse the body; undefined when it would embed it. */
export function refuseEmbeddings(
  body: unknown,
  options: EmbeddingsOptions = {},
): EmbeddingsRefusal | undefined {
  const shape = specSchemas().problems('CreateEmbeddingRequest', body);
  if (shape.length > 0) return refusal(400, shape.join('; '));
  const request = body as EmbeddingsRequest;
  if (modelsOf(options)[request.model] === undefined)
    return refusal(404, `The model \`${request.model}\` does not exist or you do not have access to it.`);
  const problem = problemOf(request, options);
  return problem === undefined ? undefined : refusal(400, problem);
}

function problemOf(request: EmbeddingsRequest, options: EmbeddingsOptions): string | undefined {
  const { maxTokens = 8_192, maxRequestTokens = 300_000, maxTexts = 2_048 } = options;
  const texts = textsOf(request);
  if (texts.length > maxTexts) return `'$.input' is invalid: ${texts.length} items, at most ${maxTexts}`;
  if (texts.includes('')) return "'$.input' is invalid: input cannot be an empty string";
  if (!texts.every((text) => text.isWellFormed())) return 'We could not parse the JSON body of your request.';
  const tokens = texts.map(textTokens);
  const longest = Math.max(0, ...tokens);
  if (longest > maxTokens)
    return `This model's maximum context length is ${maxTokens} tokens, however you requested ${longest} tokens (${longest} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`;
  const total = tokens.reduce((sum, each) => sum + each, 0);
  if (total > maxRequestTokens)
    return `Requested ${total} tokens, max ${maxRequestTokens} tokens per request`;
  if (request.dimensions === undefined) return undefined;
  if (request.model === 'text-embedding-ada-002') return 'This model does not support specifying dimensions.';
  const most = modelsOf(options)[request.model] ?? 0;
  return request.dimensions > most
    ? `Invalid value for 'dimensions' = ${request.dimensions}. Must be less than or equal to ${most}.`
    : undefined;
}

/** The vectors in the service's form, before any fault. */
export function embeddingData(request: EmbeddingsRequest, options: EmbeddingsOptions = {}): EmbeddingDatum[] {
  const dimension = request.dimensions ?? modelsOf(options)[request.model] ?? 0;
  return textsOf(request).map((text, index) => {
    const vector = vectorOf(text, dimension);
    return { object: 'embedding', index, embedding: formatted(vector, request.encoding_format) };
  });
}

export function embeddingsBody(request: EmbeddingsRequest, data: readonly unknown[]): object {
  const tokens = textsOf(request).reduce((sum, text) => sum + textTokens(text), 0);
  return {
    object: 'list',
    data,
    model: request.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

export function textsOf({ input }: EmbeddingsRequest): readonly string[] {
  return typeof input === 'string' ? [input] : input;
}

/** Length 1, and nearer to each other the more words two texts share: one direction a word. */
function vectorOf(text: string, dimension: number): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    const at = hashOf(word) % dimension;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}

/** FNV-1a, 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

function formatted(
  vector: Float32Array,
  format: EmbeddingsRequest['encoding_format'],
): readonly number[] | string {
  return format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
}

function modelsOf({ models = MODELS }: EmbeddingsOptions): Readonly<Record<string, number>> {
  return models;
}

function refusal(status: number, message: string): EmbeddingsRefusal {
  const code = status === 404 ? { code: 'model_not_found' } : {};
  return { status, body: errorBody(message, code), problems: [message] };
}
