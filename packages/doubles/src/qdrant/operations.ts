import { collectionOf, createCollection, createIndex, describe, type QdrantState } from './collections.js';
import { aliasesOf, deleteCollection, updateAliases } from './aliases.js';
import { remove, upsert } from './points.js';
import { count, query, type QueryBody, retrieve, scroll, type ScrollBody } from './reads.js';
import { wrongInput } from './refusal.js';
import type { Endpoint } from './schema.js';
import type { Collection, StrictMode } from './types.js';

export interface ServiceOptions {
  readonly version: string;
  readonly strictMode?: StrictMode | undefined;
}

/** Carries a request out whose shape was checked. What is not in the envelope is told by `isBare`. */
export function perform(
  state: QdrantState,
  { id, path }: Endpoint,
  search: URLSearchParams,
  body: unknown,
  { version, strictMode }: ServiceOptions,
): unknown {
  const name = path['collection_name'] ?? '';
  if (id === 'root') return { title: 'qdrant - vector search engine', version };
  if (id === 'create_collection') return createCollection(state, name, body as never, strictMode);
  if (id === 'delete_collection') return deleteCollection(state, name);
  if (id === 'update_aliases') return updateAliases(state, body as never);
  if (id === 'get_collections_aliases') return { aliases: aliasesOf(state) };
  if (id === 'get_collections') return { collections: namesOf(state) };
  if (id === 'collection_exists') return { exists: state.has(name) };
  const collection = collectionOf(state, name);
  const write = writeOf(id, collection, path, body);
  if (write) return written(collection, write, search.get('wait') === 'true');
  return read(id, collection, body);
}

/** By their own names: aliases are told of elsewhere. */
function namesOf(state: QdrantState): readonly object[] {
  return [...state].flatMap(([key, { name }]) => (key === name ? [{ name }] : []));
}

function writeOf(
  id: string,
  collection: Collection,
  path: Endpoint['path'],
  body: unknown,
): (() => void) | undefined {
  if (id === 'upsert_points') return upsert(collection, pointsOf(body));
  if (id === 'delete_points') return remove(collection, body as never);
  if (id === 'create_field_index') return createIndex(collection, body as never);
  if (id === 'delete_field_index') return () => void collection.indexes.delete(path['field_name'] ?? '');
  return undefined;
}

function pointsOf(body: unknown): never {
  const { points } = body as { points?: unknown };
  if (!Array.isArray(points)) throw wrongInput('the double takes points as a list');
  return points as never;
}

/** Writes are done in their order; without `wait` they are acknowledged at once and done later (B20). */
function written(collection: Collection, write: () => void, wait: boolean): object {
  collection.operations += 1;
  collection.pending.push(write);
  if (wait) settle(collection);
  return { operation_id: collection.operations, status: wait ? 'completed' : 'acknowledged' };
}

export function settle({ pending }: Collection): void {
  for (const write of pending.splice(0)) write();
}

function read(id: string, collection: Collection, body: unknown): unknown {
  switch (id) {
    case 'get_collection':
      return describe(collection);
    case 'get_points':
      return retrieve(collection, body as never);
    case 'scroll_points':
      return scroll(collection, body as ScrollBody);
    case 'count_points':
      return count(collection, body as never);
    case 'query_points':
      return query(collection, body as QueryBody);
    default:
      throw wrongInput(`the double does not do ${id}`);
  }
}
