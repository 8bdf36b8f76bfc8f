/** Other names of collections: entries of the state whose key is not the collection's own name. */
import { collectionOf, type QdrantState } from './collections.js';
import { QdrantRefusal } from './refusal.js';

type Action =
  | { readonly create_alias: { readonly collection_name: string; readonly alias_name: string } }
  | { readonly delete_alias: { readonly alias_name: string } };

export function aliasesOf(state: QdrantState): readonly object[] {
  return [...state].flatMap(([key, { name }]) =>
    key === name ? [] : [{ alias_name: key, collection_name: name }],
  );
}

/** All of them or none. */
export function updateAliases(
  state: QdrantState,
  { actions }: { readonly actions: readonly Action[] },
): boolean {
  const after: QdrantState = new Map(state);
  for (const action of actions) {
    if ('delete_alias' in action) deleteAlias(after, action.delete_alias.alias_name);
    else createAlias(after, action.create_alias.alias_name, action.create_alias.collection_name);
  }
  state.clear();
  for (const [key, collection] of after) state.set(key, collection);
  return true;
}

function createAlias(state: QdrantState, alias: string, target: string): void {
  if (state.get(alias)?.name === alias)
    throw new QdrantRefusal(409, `Wrong input: Collection \`${alias}\` already exists!`);
  state.set(alias, collectionOf(state, target));
}

function deleteAlias(state: QdrantState, alias: string): void {
  const found = state.get(alias);
  if (!found || found.name === alias)
    throw new QdrantRefusal(404, `Not found: Alias ${alias} does not exists!`);
  state.delete(alias);
}

/** By its own name only; its aliases go with it. */
export function deleteCollection(state: QdrantState, name: string): boolean {
  const found = state.get(name);
  if (found?.name !== name) return false;
  for (const [key, collection] of state) if (collection === found) state.delete(key);
  return true;
}
