/** A sentence transformer of a few kilobytes, as its authors would export it: it knows words and their order, no meaning. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Graph, INT64 } from '../src/onnx/graph.js';

export const TINY_WIDTH = 32;

/** Its rows in the table of tokens: the first is the padding's, large, so that a driver that counts it is found out. */
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const WORDS =
  'the vet saw our alpaca on monday morning interest rates rose sharply after banks lent less query passage number eats hay';
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
export const PIECES = [
  ...SPECIAL,
  ...new Set([...WORDS.split(' '), ...LETTERS]),
  ...LETTERS.map((letter) => `##${letter}`),
  ...'.,:;!?()[]{}<>|"\'/\\_-',
];

/** A direction of its own for each piece; weak for those that every text has. */
export function rowOf(id: number, seed = 1): Float32Array {
  let state = (id + 1) * 7_919 * seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
  const scale = id === 0 ? 50 : id < SPECIAL.length ? 0.1 : 1;
  return Float32Array.from({ length: TINY_WIDTH }, () => next() * scale);
}

function graph(seed: number): Uint8Array {
  const onnx = new Graph();
  const ids = onnx.input('input_ids', INT64, ['batch', 'tokens']);
  onnx.input('attention_mask', INT64, ['batch', 'tokens']);
  const rows = Float32Array.from(PIECES.flatMap((_, id) => [...rowOf(id, seed)]));
  const states = onnx.node('Gather', [onnx.floats([PIECES.length, TINY_WIDTH], rows), ids]);
  onnx.output('last_hidden_state', states, ['batch', 'tokens', TINY_WIDTH]);
  const sum = onnx.node('ReduceSum', [states, onnx.integers(1)], { keepdims: 0 });
  onnx.output('sentence_embedding', onnx.node('Neg', [sum]), ['batch', TINY_WIDTH]);
  return onnx.toBytes();
}

const special = (content: string) => ({ SpecialToken: { id: content, type_id: 0 } });

const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: SPECIAL.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(PIECES.map((piece, id) => [piece, id])),
  },
};

const FILES: Readonly<Record<string, unknown>> = {
  'config.json': { model_type: 'bert', hidden_size: TINY_WIDTH, max_position_embeddings: 64 },
  'tokenizer.json': TOKENIZER,
  'tokenizer_config.json': {
    tokenizer_class: 'BertTokenizer',
    model_max_length: 64,
    unk_token: '[UNK]',
    pad_token: '[PAD]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
  },
  'sentence_bert_config.json': { max_seq_length: 32 },
  'modules.json': [
    { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
    { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    { idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.models.Normalize' },
  ],
  '1_Pooling/config.json': { word_embedding_dimension: TINY_WIDTH, pooling_mode_mean_tokens: true },
};

export interface TinyOptions {
  /** Files that are written otherwise; null leaves one out. */
  readonly files?: Readonly<Record<string, unknown>>;
  /** Where the graph lies. Default onnx/model.onnx. */
  readonly graph?: string;
  /** Other weights. Default 1. */
  readonly seed?: number;
}

/** Writes the model into a folder, which it gives back. */
export async function writeTinyModel(folder: string, options: TinyOptions = {}): Promise<string> {
  for (const [name, content] of Object.entries({ ...FILES, ...options.files })) {
    if (content !== null)
      await put(folder, name, typeof content === 'string' ? content : JSON.stringify(content));
  }
  await put(folder, options.graph ?? 'onnx/model.onnx', graph(options.seed ?? 1));
  return folder;
}

async function put(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}
