/**
 * A collection for vectors of another dimension. It is filled beside the one that is there; at the end its other name, an
 * alias, is that of the old one, which is removed. So a rebuild can be stopped and gone on with.
 */
import { hasCode } from '@pagefault/contracts';
import type { Caller } from './call.js';
import { describe, dimensionOf, isOfThisDriver } from './collection.js';
import { refusal } from './errors.js';
import type { Options } from './options.js';

export interface Rebuild {
  /** Of the collection to fill. */
  readonly options: Options;
  /** The dimension of the one that is to be replaced. */
  readonly from: number;
}

/** Undefined when there is nothing to replace. */
export async function planRebuild(caller: Caller, options: Options): Promise<Rebuild | undefined> {
  const info = await describe(caller, options);
  const from = info && dimensionOf(info);
  if (from === undefined || from === options.dimension) return undefined;
  return { options: nextOf(options), from };
}

export async function finishRebuild(caller: Caller, options: Options, signal?: AbortSignal): Promise<void> {
  const { collection } = options;
  const { collection: next } = nextOf(options);
  const former = await targetOf(caller, collection, signal);
  // Somebody else who was at it has done it.
  if (former === next) return;
  // Before anything is removed: whoever opened the old one again has removed what was begun.
  if ((await describe(caller, nextOf(options), signal)) === undefined) throw givenUp(next);
  if (former === undefined) {
    await dropCollection(caller, collection, signal);
    await nameNext(caller, options, signal);
  } else {
    await nameNext(caller, options, signal, [{ delete_alias: { alias_name: collection } }]);
    await dropCollection(caller, former, signal);
  }
}

/** Whether a rebuild was stopped after the old collection was removed: then the new one gets its name now. */
export async function goOnFinishing(caller: Caller, options: Options): Promise<boolean> {
  const info = await describe(caller, nextOf(options));
  if (info === undefined) return false;
  await nameNext(caller, options);
  return true;
}

const nextOf = (options: Options): Options => ({
  ...options,
  collection: `${options.collection}.of-${options.dimension}`,
});

async function nameNext(
  caller: Caller,
  options: Options,
  signal?: AbortSignal,
  before: readonly { readonly delete_alias: { readonly alias_name: string } }[] = [],
): Promise<void> {
  const create_alias = { collection_name: nextOf(options).collection, alias_name: options.collection };
  const actions = [...before, { create_alias }];
  await caller.call('aliases', (api, init) => api.updateAliases({ actions }, init), signal);
}

function givenUp(name: string): Error {
  return refusal(
    'E_CONFLICT',
    `the new collection "${name}" was removed while it was filled: the old one was opened again`,
    'make it anew when nobody uses the former embedder any more: `pagefault fsck --repair`',
  );
}

/**
 * What rebuilds left that were given up or cut off at their end: whoever opens a collection as it is uses its embedder. Removed is
 * only what is named and made as here, and has no other name. A key that may not see other collections removes none.
 */
export async function dropAbandoned(caller: Caller, { collection }: Options): Promise<void> {
  const found = await collectionsOf(caller).catch((error: unknown) => {
    if (hasCode(error, 'E_AUTH')) return [];
    throw error;
  });
  const begins = `${collection}.of-`;
  const left = found.filter((name) => name.startsWith(begins) && /^\d+$/.test(name.slice(begins.length)));
  if (left.length === 0) return;
  const named = new Set((await aliasesOf(caller)).map(({ collection_name }) => collection_name));
  for (const name of left) {
    if (named.has(name)) continue;
    const dimension = Number(name.slice(begins.length));
    const info = await describe(caller, { collection: name });
    if (info !== undefined && dimensionOf(info) === dimension && isOfThisDriver(info))
      await dropCollection(caller, name);
  }
}

async function collectionsOf(caller: Caller): Promise<readonly string[]> {
  const { collections } = await caller.call('collections', (api, init) => api.getCollections({}, init));
  return collections.map(({ name }) => name);
}

/** Undefined when the name is a collection's own. */
async function targetOf(
  caller: Caller,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const aliases = await aliasesOf(caller, signal);
  return aliases.find(({ alias_name }) => alias_name === name)?.collection_name;
}

interface Alias {
  readonly alias_name: string;
  readonly collection_name: string;
}

async function aliasesOf(caller: Caller, signal?: AbortSignal): Promise<readonly Alias[]> {
  const { aliases } = await caller.call(
    'aliases',
    (api, init) => api.getCollectionsAliases({}, init),
    signal,
  );
  return aliases;
}

async function dropCollection(caller: Caller, name: string, signal?: AbortSignal): Promise<void> {
  await caller.call(
    'delete collection',
    (api, init) => api.deleteCollection({ collection_name: name }, init),
    signal,
  );
}
