/** The slice of @huggingface/transformers that is used. The package is an optional peer, and is loaded here alone. */
import { PagefaultError } from '@pagefault/contracts';
import { DRIVER } from '../model/facts.js';
import type { Dtype } from '../options.js';

export interface Transformers {
  readonly AutoTokenizer: { from_pretrained(model: string, options: object): Promise<Tokenizer> };
  readonly AutoModel: { from_pretrained(model: string, options: object): Promise<Model> };
}

/** By the names of the library. */
export interface LoadOptions {
  readonly local_files_only?: boolean;
  readonly cache_dir?: string;
  readonly revision?: string;
  readonly dtype: Dtype;
  readonly subfolder?: string;
  readonly use_external_data_format?: boolean;
  readonly session_options: {
    readonly intraOpNumThreads: number;
    readonly interOpNumThreads: number;
    readonly logSeverityLevel: 0 | 1 | 2 | 3 | 4;
  };
}

export interface Tokenizer {
  (texts: string[], options: { padding: boolean; truncation: boolean; max_length: number }): Inputs;
  /** Ids of a text, special tokens included. */
  encode(text: string): readonly number[];
  /** Undefined for tokenizers without padding. */
  readonly pad_token_id?: number | null | undefined;
}

export interface Inputs {
  readonly attention_mask: Tensor;
}

export interface Model {
  (inputs: Inputs): Promise<Readonly<Record<string, Tensor | undefined>>>;
  dispose(): Promise<unknown>;
}

export interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
}

export type TransformersLoader = () => Promise<Transformers>;

/** Errors: `E_CONFIG` when the package cannot be loaded. */
export async function loadTransformers(
  load: () => Promise<unknown> = () => import('@huggingface/transformers'),
): Promise<Transformers> {
  // As for the bundled model: its runtime reports to its maker unless this is set before it is loaded.
  process.env['ORT_DISABLE_TELEMETRY'] ??= '1';
  try {
    return (await load()) as Transformers;
  } catch (cause) {
    throw new PagefaultError(
      'E_CONFIG',
      `${DRIVER}.model: the package @huggingface/transformers, which runs models other than the bundled one, cannot be loaded`,
      { driver: DRIVER, hint: 'npm install @huggingface/transformers', cause },
    );
  }
}
