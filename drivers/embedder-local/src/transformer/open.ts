/** A sentence transformer that is open: windows of text in, vectors out. */
import { type EmbedPurpose, PagefaultError } from '@pagefault/contracts';
import { windowsOf, wrongOption } from '@pagefault/driver-kit';
import { DRIVER } from '../model/facts.js';
import type { Piece, SentenceModel } from '../sentence-model.js';
import type { Description } from './describe.js';
import type { TransformerFacts } from './facts.js';
import type { Inputs, Model, Tensor, Tokenizer, TransformersLoader } from './library.js';
import { poolTokens, toUnit } from './pooling.js';

/** Tokens of one text that count at most, as of the bundled model; of a longer one evenly spaced windows are taken. */
const MOST_TOKENS = 8_192;

/** Errors: `E_CONFIG` without the library; `E_STORAGE` when the model cannot be loaded or run; `E_DIMENSION`. */
export async function openTransformer(
  description: Description,
  load: TransformersLoader,
): Promise<SentenceModel<string>> {
  const { AutoTokenizer, AutoModel } = await load();
  const { model: from, ...options } = description.load;
  const [tokenizer, model] = await bothOf(
    AutoTokenizer.from_pretrained(from, options),
    AutoModel.from_pretrained(from, options),
  ).catch((cause: unknown) => {
    throw unloadable(description, cause);
  });
  const opened = sentenceModel(tokenizer, model, description.facts);
  try {
    checkPrefixes(tokenizer, description.facts);
    checkDimension(await opened.run(['hello'], () => undefined), description.facts.dimension);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** When only one of them fails, the model is let go. */
async function bothOf(
  tokenizing: Promise<Tokenizer>,
  modelling: Promise<Model>,
): Promise<readonly [Tokenizer, Model]> {
  const [tokenizer, model] = await Promise.allSettled([tokenizing, modelling]);
  if (tokenizer.status === 'fulfilled' && model.status === 'fulfilled') return [tokenizer.value, model.value];
  if (model.status === 'fulfilled') await model.value.dispose();
  throw tokenizer.status === 'rejected' ? tokenizer.reason : (model as PromiseRejectedResult).reason;
}

function sentenceModel(tokenizer: Tokenizer, model: Model, facts: TransformerFacts): SentenceModel<string> {
  return {
    cut: (text, purpose) => cut(tokenizer, facts, text, purpose),
    async run(windows, checkpoint) {
      // Without a token for padding, texts cannot share a batch.
      const batches = typeof tokenizer.pad_token_id === 'number' ? [windows] : windows.map((each) => [each]);
      const vectors: Float32Array[] = [];
      for (const batch of batches) {
        checkpoint();
        vectors.push(...(await runBatch(tokenizer, model, facts, batch)));
      }
      return vectors;
    },
    close: async () => void (await model.dispose()),
  };
}

/** Each window has the prefix of its purpose, and room for it and the special tokens. */
function cut(
  tokenizer: Tokenizer,
  facts: TransformerFacts,
  text: string,
  purpose: EmbedPurpose,
): Piece<string>[] {
  const prefix = purpose === 'query' ? facts.queryPrefix : facts.documentPrefix;
  const count = (piece: string): number => tokenizer.encode(prefix + piece).length;
  const maxWindows = Math.ceil(MOST_TOKENS / facts.maxTokens);
  return windowsOf(text.toWellFormed(), { maxTokens: facts.maxTokens, maxWindows, count }).map(
    ({ text: piece, tokens }) => ({ window: prefix + piece, places: tokens, weight: tokens }),
  );
}

async function runBatch(
  tokenizer: Tokenizer,
  model: Model,
  { pooling, maxTokens }: TransformerFacts,
  windows: readonly string[],
): Promise<Float32Array[]> {
  const inputs = tokenizer([...windows], { padding: true, truncation: true, max_length: maxTokens });
  const outputs = await model(inputs).catch((cause: unknown) => {
    throw failure('cannot run the model', 'when it is short of memory, set a smaller batchSize', cause);
  });
  if (pooling === 'graph') return rowsOf(needed(outputs, ['sentence_embedding'])).map(toUnit);
  const states = needed(outputs, ['last_hidden_state', 'token_embeddings']);
  return statesOf(states, inputs).map((each) => poolTokens(each, pooling));
}

function needed(outputs: Readonly<Record<string, Tensor | undefined>>, names: readonly string[]): Tensor {
  const tensor = names.map((name) => outputs[name]).find((each) => each !== undefined);
  if (tensor !== undefined) return tensor;
  throw failure(
    `the ONNX graph has no output ${names.join(' or ')}; it has ${Object.keys(outputs).join(', ')}`,
    "export it as a sentence transformer, or set pooling: 'graph' when it gives sentence_embedding",
  );
}

function statesOf({ dims, data }: Tensor, { attention_mask: mask }: Inputs) {
  const [texts = 0, tokens = 0, width = 0] = dims;
  return Array.from({ length: texts }, (_, text) => ({
    width,
    numbers: part(data, text * tokens * width, tokens * width),
    isToken: Array.from(part(mask.data, text * tokens, tokens), (each) => each !== 0),
  }));
}

function rowsOf({ dims, data }: Tensor): Float32Array[] {
  const [texts = 0, width = 0] = dims;
  return Array.from({ length: texts }, (_, text) => part(data, text * width, width));
}

// Numbers of masks are 64-bit integers.
function part(data: ArrayLike<number | bigint>, start: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => Number(data[start + i]));
}

/** A prefix that takes half of a window would hardly leave a text to be embedded. */
function checkPrefixes(
  tokenizer: Tokenizer,
  { queryPrefix, documentPrefix, maxTokens }: TransformerFacts,
): void {
  for (const [name, prefix] of Object.entries({ queryPrefix, documentPrefix })) {
    const tokens = tokenizer.encode(prefix).length;
    if (tokens > maxTokens / 2)
      throw wrongOption(DRIVER, `${name}: takes ${tokens} of ${maxTokens} tokens`, 'shorten it');
  }
}

function checkDimension([vector]: readonly Float32Array[], dimension: number): void {
  if (vector?.length === dimension) return;
  throw new PagefaultError(
    'E_DIMENSION',
    `${DRIVER}: the model gives ${vector?.length ?? 0} numbers a vector, and ${dimension} are expected`,
    { driver: DRIVER, hint: `set the option dimension to ${vector?.length ?? 0}, and make the index anew` },
  );
}

function unloadable({ load }: Description, cause: unknown): PagefaultError {
  const hint = load.local_files_only
    ? 'the folder should hold config.json, tokenizer.json, tokenizer_config.json and the ONNX graph'
    : 'check the id, the revision and the network, and HF_TOKEN for a private model; a folder needs no network';
  return failure(`the model ${load.model} cannot be loaded`, hint, cause);
}

function failure(what: string, hint: string, cause?: unknown): PagefaultError {
  return new PagefaultError('E_STORAGE', `${DRIVER}: ${what}`, { driver: DRIVER, hint, cause });
}
