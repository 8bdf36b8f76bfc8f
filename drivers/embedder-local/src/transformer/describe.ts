/** From options to all that is known of a model before it is opened. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbedderManifest } from '@pagefault/contracts';
import { wrongOption } from '@pagefault/driver-kit';
import { DRIVER } from '../model/facts.js';
import { cacheFolder } from '../onnx/cache.js';
import type { LocalEmbedderSettings } from '../options.js';
import type { Source } from '../source.js';
import { factsOf } from './config.js';
import { completeFacts, type TransformerFacts } from './facts.js';
import { findGraph, jsonIn, sampledHash } from './folder.js';
import { HUB_MODELS } from './hub.js';
import type { LoadOptions } from './library.js';

export interface Description {
  readonly facts: TransformerFacts;
  readonly manifest: Readonly<EmbedderManifest>;
  /** What the library is asked for. */
  readonly load: LoadOptions & { readonly model: string };
}

/** Raise it when windows are cut or pooled otherwise: then the same text gets another vector. */
const REVISION = 1;

/** Reads the small files of a folder, and touches no network. Errors: `E_CONFIG`. */
export function describeModel(
  settings: LocalEmbedderSettings,
  source: Exclude<Source, { kind: 'bundled' }>,
): Description {
  refuseBundledOptions(settings);
  return source.kind === 'folder' ? describeFolder(settings, source.path) : describeHub(settings, source.id);
}

function describeFolder(settings: LocalEmbedderSettings, folder: string): Description {
  if (settings.revision !== undefined)
    throw wrongOption(DRIVER, 'revision: is of hub models, and the model is a folder', 'leave it out');
  const dtype = settings.dtype ?? 'fp32';
  const graph = findGraph(folder, dtype);
  if (!existsSync(join(folder, 'tokenizer.json')))
    throw wrongOption(DRIVER, `model: ${folder} has no tokenizer.json`, 'copy the folder again, whole');
  const told = factsOf(jsonIn(folder), settings.pooling !== undefined);
  const facts = completeFacts(settings, told, `the folder ${folder}`);
  return {
    facts,
    manifest: manifestOf(settings, facts, sampledHash(folder, graph)),
    load: {
      model: folder,
      local_files_only: true,
      dtype,
      subfolder: graph.subfolder,
      use_external_data_format: graph.hasExternalData,
      session_options: sessionOptions(settings),
    },
  };
}

function describeHub(settings: LocalEmbedderSettings, id: string): Description {
  const { dtype = 'fp32', revision = 'main' } = settings;
  const where = `"${id}" is none of ${Object.keys(HUB_MODELS).join(', ')}, so the table`;
  const facts = completeFacts(settings, HUB_MODELS[id] ?? {}, where);
  return {
    facts,
    manifest: manifestOf(settings, facts, `${id}@${revision}`),
    load: {
      model: id,
      revision,
      cache_dir: join(cacheFolder(settings.cacheDir), 'models'),
      dtype,
      session_options: sessionOptions(settings),
    },
  };
}

function sessionOptions({ threads }: LocalEmbedderSettings): LoadOptions['session_options'] {
  return { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3 };
}

/** Whatever changes a document's vector changes the fingerprint; the prefix of questions, which are not kept, does not. */
function manifestOf(
  settings: LocalEmbedderSettings,
  { dimension, maxTokens, pooling, documentPrefix }: TransformerFacts,
  weights: string,
): Readonly<EmbedderManifest> {
  const decides = [REVISION, settings.dtype ?? 'fp32', pooling, maxTokens, documentPrefix];
  const rest = createHash('sha256').update(JSON.stringify(decides)).digest('hex').slice(0, 8);
  return Object.freeze({ dimension, maxTokens, fingerprint: `${settings.fingerprint ?? weights}/${rest}` });
}

function refuseBundledOptions({ runtime, model }: LocalEmbedderSettings): void {
  if (runtime === 'plain')
    throw wrongOption(
      DRIVER,
      `runtime: 'plain' runs the bundled model only, not ${model}`,
      'leave runtime or model out',
    );
}

/** What only models other than the bundled one have. Errors: `E_CONFIG`. */
export function refuseTransformerOptions(settings: LocalEmbedderSettings): void {
  const { dtype, pooling, dimension, maxTokens, revision, queryPrefix, documentPrefix, fingerprint } =
    settings;
  const given = Object.entries({
    dtype,
    pooling,
    dimension,
    maxTokens,
    revision,
    queryPrefix,
    documentPrefix,
    fingerprint,
  });
  const [name] = given.find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined)
    throw wrongOption(
      DRIVER,
      `${name}: is not to be chosen for the bundled model`,
      'leave it out, or set model',
    );
}
