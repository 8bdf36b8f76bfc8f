import { createHash, type Hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { wrongOption } from '@pagefault/driver-kit';
import { DRIVER } from '../model/facts.js';
import { DTYPES, type Dtype } from '../options.js';
import { CONFIG_FILES, type ReadJson } from './config.js';

/** The graph of a folder, as its file is named. */
export interface GraphFile {
  readonly path: string;
  /** Within the folder; empty for the folder itself. */
  readonly subfolder: string;
  /** Whether the weights lie beside the graph, as those over 2 GB do. */
  readonly hasExternalData: boolean;
}

/** Names by which exporters tell number formats apart. */
const SUFFIXES: Readonly<Record<Dtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};

/** Errors: `E_CONFIG`, naming the number formats that the folder has. */
export function findGraph(folder: string, dtype: Dtype): GraphFile {
  const found = graphOf(folder, dtype);
  if (found !== undefined) return found;
  const there = DTYPES.filter((each) => graphOf(folder, each) !== undefined);
  if (there.length > 0)
    throw wrongOption(DRIVER, `dtype: ${folder} has no weights of ${dtype}`, `it has ${there.join(', ')}`);
  throw wrongOption(
    DRIVER,
    `model: ${folder} ${existsSync(folder) ? 'has no ONNX graph' : 'does not exist'}`,
    'it should hold config.json, tokenizer.json and onnx/model.onnx; Optimum exports a sentence transformer so',
  );
}

function graphOf(folder: string, dtype: Dtype): GraphFile | undefined {
  return ['onnx', '']
    .map((subfolder) => ({ subfolder, path: join(folder, subfolder, `model${SUFFIXES[dtype]}.onnx`) }))
    .filter(({ path }) => existsSync(path))
    .map((each) => ({ ...each, hasExternalData: existsSync(`${each.path}_data`) }))[0];
}

/** Errors: `E_CONFIG` for a file that is no JSON. */
export function jsonIn(folder: string): ReadJson {
  return (name) => {
    const path = join(folder, name);
    if (!existsSync(path)) return undefined;
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as unknown;
    } catch {
      throw wrongOption(DRIVER, `model: ${path} is no JSON`, 'copy the folder again, whole');
    }
  };
}

/** Places at which a large file is looked into, and bytes read there: training changes weights everywhere. */
const SAMPLES = 32;
const SAMPLE_BYTES = 4_096;

/** Tells one folder's weights from another's without reading hundreds of megabytes: sizes, and samples of the content. */
export function sampledHash(folder: string, graph: GraphFile): string {
  const hash = createHash('sha256');
  for (const name of CONFIG_FILES) addSamples(hash, join(folder, name));
  addSamples(hash, graph.path);
  if (graph.hasExternalData) addSamples(hash, `${graph.path}_data`);
  return hash.digest('hex').slice(0, 16);
}

function addSamples(hash: Hash, path: string): void {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    hash.update(`${size};`);
    const step = Math.max(SAMPLE_BYTES, Math.ceil(size / SAMPLES));
    for (let at = 0; at < size; at += step) hash.update(sample(file, at, size));
    hash.update(sample(file, Math.max(0, size - SAMPLE_BYTES), size));
  } finally {
    closeSync(file);
  }
}

function sample(file: number, at: number, size: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(SAMPLE_BYTES, size - at));
  readSync(file, bytes, 0, bytes.length, at);
  return bytes;
}
