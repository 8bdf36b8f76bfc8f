import type { Caller } from './call.js';
import type { QdrantApi } from './api.js';
import { config, NAME, refusal, serversWords, statusOf } from './errors.js';
import type { Options } from './options.js';

/** What requests keep to: the options', or less where the collection's strict mode allows less. */
export interface Limits {
  readonly batchPoints: number;
  readonly batchBytes: number;
  /** Hits of one request. */
  readonly hits: number;
}

type Info = NonNullable<Awaited<ReturnType<QdrantApi['getCollection']>>['data']['result']>;

/** Fields that filters look at: without an index strict mode refuses them, and searches lose hits (B21, B22). */
const INDEXES = {
  scope: { type: 'keyword', is_tenant: true },
  // Numbers as doubles, which hold every instant exactly; Qdrant's dates are another kind, and would match nothing (D10).
  at: { type: 'float' },
} as const;

/**
 * Makes what is missing, also in a collection that an older version or another hand made, and compares what is there with
 * the options. What is missing `revive` may bring back. Safe when several do it at once. Errors: `E_CONFIG`, `E_DIMENSION`, and those of a request.
 */
export async function prepare(
  caller: Caller,
  options: Options,
  revive: () => Promise<boolean> = async () => false,
): Promise<Limits> {
  let info = await describe(caller, options);
  if (info === undefined && (await revive())) info = await describe(caller, options);
  info ??= await create(caller, options);
  checkVectors(info, options);
  await createIndexes(caller, options, info);
  return limitsOf(info, options);
}

/** Undefined when there is none. */
export async function describe(
  caller: Caller,
  { collection }: Pick<Options, 'collection'>,
  signal?: AbortSignal,
): Promise<Info | undefined> {
  try {
    const { data } = await caller.raw(
      (api, init) => api.getCollection({ collection_name: collection }, init),
      signal,
    );
    if (data.result?.config === undefined) throw noQdrant();
    return data.result;
  } catch (error) {
    if (statusOf(error) !== 404) throw caller.failure(error);
    if (/not found/i.test(serversWords(error) ?? '')) return undefined;
    throw noQdrant(error);
  }
}

function noQdrant(cause?: unknown): Error {
  const message = 'url: what answers there is no Qdrant: it does not know /collections';
  return config(message, 'check host, port and path of the address', cause);
}

async function create(caller: Caller, options: Options): Promise<Info> {
  const vectors = { size: options.dimension, distance: 'Cosine' } as const;
  const body = { collection_name: options.collection, vectors };
  await caller
    .raw((api, init) => api.createCollection(body, init))
    .catch((error: unknown) => {
      // Another was first, or our own request was heard and its answer lost.
      const isThere = statusOf(error) === 409 || /already exists/i.test(serversWords(error) ?? '');
      if (!isThere) throw caller.failure(error);
    });
  const info = await describe(caller, options);
  if (info !== undefined) return info;
  const hint = 'another process removes it at the same time: open again';
  throw refusal('E_STORAGE', `${NAME}: the collection ${options.collection} was made and is not there`, hint);
}

/** Of a collection with named vectors none of these is there. */
interface Vectors {
  readonly size?: number;
  readonly distance?: string;
  readonly datatype?: string | null;
}

/** Undefined for one with named vectors. */
export function dimensionOf(info: Info): number | undefined {
  return (info.config.params.vectors as Vectors | undefined)?.size;
}

/** Whether it has the fields of those that this driver makes: another hand's has not all of them. */
export function isOfThisDriver({ payload_schema: fields }: Info): boolean {
  return Object.entries(INDEXES).every(([field, { type }]) => fields[field]?.data_type === type);
}

function checkVectors(info: Info, { collection, dimension }: Options): void {
  const params = info.config.params.vectors as Vectors | undefined;
  const { size, distance, datatype } = params ?? {};
  const name = `collection: "${collection}"`;
  const another = 'name another collection by the option collection: it is made when it is not there';
  if (typeof size !== 'number')
    throw config(`${name} has named vectors, and the index has one without a name`, another);
  if (distance !== 'Cosine')
    throw config(`${name} compares by ${distance}, and the index by Cosine`, another);
  if (datatype !== undefined && datatype !== null && datatype !== 'float32')
    throw config(`${name} keeps vectors as ${datatype}, and the index as float32`, another);
  if (size === dimension) return;
  throw refusal(
    'E_DIMENSION',
    `the vectors in the collection "${collection}" have ${size} numbers, the embedder's have ${dimension}`,
    'use the embedder that the index was made with, or another collection, or have it made again from recall: `pagefault fsck --repair`',
  );
}

async function createIndexes(caller: Caller, { collection }: Options, info: Info): Promise<void> {
  for (const [field, schema] of Object.entries(INDEXES)) {
    if (info.payload_schema[field]?.data_type === schema.type) continue;
    const body = { collection_name: collection, wait: true, field_name: field, field_schema: schema };
    await caller.call(`index on ${field}`, (api, init) => api.createFieldIndex(body, init));
  }
}

interface StrictMode {
  readonly search_allow_exact?: boolean;
  readonly upsert_max_batchsize?: number;
  readonly max_query_limit?: number;
}

function limitsOf({ config: { strict_mode_config: given } }: Info, options: Options): Limits {
  // Of version 1.13 and newer; older ones have no strict mode.
  const strict: StrictMode = given?.enabled === true ? (given as StrictMode) : {};
  if (options.exact && strict.search_allow_exact === false)
    throw config(
      `exact: strict mode of "${options.collection}" allows no exact search`,
      'set the option exact to false, or search_allow_exact of the collection to true',
    );
  return {
    batchPoints: Math.min(options.batchPoints, strict.upsert_max_batchsize || Infinity),
    batchBytes: options.batchBytes,
    hits: strict.max_query_limit ?? Infinity,
  };
}
