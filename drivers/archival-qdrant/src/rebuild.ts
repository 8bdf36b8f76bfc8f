/**
 * A collection for vectors of another dimension. It is filled beside the one that is there; at the end its other name, an
 * alias, is that of the old one, which is removed. So a rebuild can be stopped and gone on with.
 */
import type { Caller } from './call.js';
import { describe, dimensionOf } from './collection.js';
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
  const former = await targetOf(caller, collection, signal);
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

/** Undefined when the name is a collection's own. */
async function targetOf(
  caller: Caller,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { aliases } = await caller.call(
    'aliases',
    (api, init) => api.getCollectionsAliases({}, init),
    signal,
  );
  return aliases.find(({ alias_name }) => alias_name === name)?.collection_name;
}

async function dropCollection(caller: Caller, name: string, signal: AbortSignal | undefined): Promise<void> {
  await caller.call(
    'delete collection',
    (api, init) => api.deleteCollection({ collection_name: name }, init),
    signal,
  );
}
