import { notFound, QdrantRefusal, wrongInput } from './refusal.js';
import type { Collection, Payload, StrictMode } from './types.js';

/** Everything that a server holds. It outlives the server, so that one can be ended and another started on it. */
export type QdrantState = Map<string, Collection>;

export function collectionOf(state: QdrantState, name: string): Collection {
  const found = state.get(name);
  if (!found) throw notFound(name);
  return found;
}

interface CreateBody {
  readonly vectors?: { readonly size?: number; readonly distance?: string };
  readonly strict_mode_config?: StrictMode | null;
}

export function createCollection(
  state: QdrantState,
  name: string,
  body: CreateBody & Payload,
  strictMode: StrictMode | undefined,
): boolean {
  if (state.has(name)) throw new QdrantRefusal(409, `Wrong input: Collection \`${name}\` already exists!`);
  const { size, distance } = body.vectors ?? {};
  if (size === undefined || distance === undefined)
    throw wrongInput('the double has collections of one unnamed vector only');
  state.set(name, {
    name,
    size,
    distance,
    params: { ...body.vectors },
    strict: { ...strictMode, ...body.strict_mode_config },
    indexes: new Map(),
    points: new Map(),
    pending: [],
    operations: 0,
  });
  return true;
}

/** An index of another kind takes the place of the one that is there. */
export function createIndex(
  { indexes }: Collection,
  {
    field_name: field,
    field_schema: schema,
  }: { readonly field_name: string; readonly field_schema?: string | Payload | null },
): () => void {
  if (!schema) throw wrongInput(`the kind of the index on ${field} is missing`);
  const params = typeof schema === 'string' ? { type: schema } : schema;
  return () => void indexes.set(field, params);
}

export function describe(collection: Collection): object {
  const { params, strict, points } = collection;
  return {
    status: 'green',
    optimizer_status: 'ok',
    indexed_vectors_count: 0,
    points_count: points.size,
    segments_count: 1,
    config: {
      params: {
        vectors: params,
        shard_number: 1,
        replication_factor: 1,
        write_consistency_factor: 1,
        on_disk_payload: true,
      },
      hnsw_config: {
        m: 16,
        ef_construct: 100,
        full_scan_threshold: 10_000,
        max_indexing_threads: 0,
        on_disk: false,
      },
      optimizer_config: {
        deleted_threshold: 0.2,
        vacuum_min_vector_number: 1_000,
        default_segment_number: 0,
        flush_interval_sec: 5,
      },
      wal_config: { wal_capacity_mb: 32, wal_segments_ahead: 0 },
      quantization_config: null,
      ...(strict.enabled !== undefined && { strict_mode_config: strict }),
    },
    payload_schema: payloadSchema(collection),
  };
}

function payloadSchema({ indexes, points }: Collection): Payload {
  return Object.fromEntries(
    [...indexes].map(([field, params]) => {
      const having = [...points.values()].filter(({ payload }) => field in payload);
      return [field, { data_type: params['type'], params, points: having.length }];
    }),
  );
}
