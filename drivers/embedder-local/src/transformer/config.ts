/** What the small files of a sentence transformer's folder say of it. Pure: the files are read elsewhere. */
import { wrongOption } from '@pagefault/driver-kit';
import { DRIVER } from '../model/facts.js';
import type { Pooling } from '../options.js';
import type { TransformerFacts } from './facts.js';

type Json = Readonly<Record<string, unknown>>;

/** A file of the folder, parsed; undefined when there is none of this name. */
export type ReadJson = (name: string) => unknown;

/** Files of the folder that decide a vector, beside the weights. */
export const CONFIG_FILES = [
  'config.json',
  'modules.json',
  'tokenizer.json',
  'tokenizer_config.json',
] as const;

/** Errors: `E_CONFIG` for a model that cannot be run as it is. */
export function factsOf(read: ReadJson, isPoolingChosen: boolean): Partial<TransformerFacts> {
  const modules = modulesOf(read('modules.json'));
  if (!isPoolingChosen) refuseOthers(modules);
  const pooling = modules.find(({ kind }) => kind === 'Pooling');
  const said = pooling === undefined ? {} : object(read(`${pooling.path}/config.json`));
  const mode = isPoolingChosen ? undefined : poolingOf(said);
  return {
    ...defined('dimension', denseWidth(read, modules) ?? dimensionOf(said, object(read('config.json')))),
    ...defined('maxTokens', maxTokensOf(read)),
    ...defined('pooling', mode),
    ...promptsOf(object(read('config_sentence_transformers.json'))),
  };
}

interface Module {
  /** `Transformer`, `Pooling`, `Normalize`, `Dense`, … */
  readonly kind: string;
  readonly path: string;
}

function modulesOf(json: unknown): Module[] {
  if (!Array.isArray(json)) return [];
  return json.map((each) => ({
    kind: text(object(each)['type']).split('.').at(-1) ?? '',
    path: text(object(each)['path']),
  }));
}

// What is done after the graph is done by the driver, which knows these. Vectors always leave it with length 1.
const KNOWN_MODULES = new Set(['Transformer', 'Pooling', 'Normalize']);

function refuseOthers(modules: readonly Module[]): void {
  const other = modules.find(({ kind }) => !KNOWN_MODULES.has(kind));
  if (other === undefined) return;
  throw unusable(`has a module ${other.kind} in modules.json`);
}

const MODES: readonly (readonly [key: string, pooling: Pooling])[] = [
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_lasttoken', 'last'],
];

function poolingOf(said: Json): Pooling | undefined {
  const named = text(said['pooling_mode']);
  const on = Object.keys(said).filter((key) => key.startsWith('pooling_mode_') && said[key] === true);
  const modes = named === '' ? on : [named];
  if (modes.length === 0) return undefined;
  const known = MODES.find(([key, pooling]) => modes[0] === key || modes[0] === pooling);
  if (modes.length > 1 || known === undefined)
    throw unusable(`pools by ${modes.join(' and ')} in its config of pooling`);
  return known[1];
}

function unusable(what: string): Error {
  return wrongOption(
    DRIVER,
    `model: the model ${what}, which is not known here`,
    "if its ONNX graph has an output sentence_embedding, set pooling: 'graph'",
  );
}

function denseWidth(read: ReadJson, modules: readonly Module[]): number | undefined {
  const dense = modules.findLast(({ kind }) => kind === 'Dense');
  return dense && count(object(read(`${dense.path}/config.json`))['out_features']);
}

function dimensionOf(pooling: Json, config: Json): number | undefined {
  return first(
    [pooling['word_embedding_dimension'], pooling['embedding_dimension']],
    [config['hidden_size'], config['dim'], config['d_model']],
  );
}

// RoBERTa and its kin count positions from the one after the padding token's id.
const SHIFTED = /roberta|mpnet|camembert/;

/** What the authors say, but never more than there are positions. */
function maxTokensOf(read: ReadJson): number | undefined {
  const config = object(read('config.json'));
  const shift = SHIFTED.test(text(config['model_type'])) ? 2 : 0;
  const positions = count(config['max_position_embeddings']);
  const limits = [
    count(object(read('sentence_bert_config.json'))['max_seq_length']),
    count(object(read('tokenizer_config.json'))['model_max_length']),
    positions === undefined ? undefined : positions - shift,
  ].filter((limit) => limit !== undefined && limit < UNLIMITED);
  return limits.length === 0 ? undefined : Math.min(...limits.map(Number));
}

/** Tokenizers without a limit say a number of thirty digits. */
const UNLIMITED = 1e7;

function promptsOf(config: Json): Partial<TransformerFacts> {
  const prompts = object(config['prompts']);
  const prompt = (...names: string[]): string | undefined =>
    names.map((name) => prompts[name]).find((value) => typeof value === 'string' && value !== '') as
      string | undefined;
  return {
    ...defined('queryPrefix', prompt('query', 'search_query')),
    ...defined('documentPrefix', prompt('document', 'passage', 'search_document')),
  };
}

function defined<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Value });
}

function first(...groups: readonly (readonly unknown[])[]): number | undefined {
  return groups
    .flat()
    .map(count)
    .find((value) => value !== undefined);
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 1 ? Math.floor(value) : undefined;
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
