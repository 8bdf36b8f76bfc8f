import type { ArchivalDriver, Fact } from '@pagefault/contracts';
import { createCaller } from './call.js';
import { connect } from './client.js';
import { prepare } from './collection.js';
import { fromQdrantError } from './errors.js';
import { factsOf } from './facts.js';
import { listIds } from './list.js';
import type { Options } from './options.js';
import { batchesOf, encode, idBatches } from './points.js';
import { inScope, nearest } from './query.js';
import { dropAbandoned, finishRebuild, goOnFinishing, planRebuild } from './rebuild.js';
import { secretsOf } from '@pagefault/driver-kit';
import { checkVersion } from './version.js';

/** An open collection. */
export interface Store extends Pick<ArchivalDriver, 'upsert' | 'query' | 'remove' | 'count' | 'list'> {
  /** The dimension of the collection that this one is to replace; undefined when it replaces none. */
  readonly from: number | undefined;
  finishRebuild(signal?: AbortSignal): Promise<void>;
  facts(signal?: AbortSignal): Promise<readonly Fact[]>;
  /** Ends every socket. */
  end(): Promise<void>;
}

/** Errors: those of `prepare`; nothing is left open then. */
export async function openStore(given: Options, closing: AbortSignal, mayRebuild: boolean): Promise<Store> {
  const connection = await connect(given).catch((error: unknown) => {
    throw fromQdrantError(error, secretsOf(given));
  });
  const caller = createCaller(connection, given, closing);
  try {
    await checkVersion(caller);
    const rebuild = mayRebuild ? await planRebuild(caller, given) : undefined;
    const options = rebuild?.options ?? given;
    let isNew = false;
    const revive = async (): Promise<boolean> => {
      isNew = rebuild === undefined && !(await goOnFinishing(caller, given));
      return rebuild === undefined && !isNew;
    };
    const limits = await prepare(caller, options, revive);
    // Beside a new one there may be one that is just about to get its name.
    if (rebuild === undefined && !isNew) await dropAbandoned(caller, given);
    const most = limits.hits;
    const hurried = { ...options, deadline: Math.min(options.queryDeadline, options.deadline) };
    const search = { caller: createCaller(connection, hurried, closing), options, most };
    const { collection: collection_name, dimension } = options;
    // Waited for: a write is found at once, and what was removed is not (B20, B36).
    const wait = true;
    const remove = (
      selector: { points: string[] } | { filter: object },
      signal?: AbortSignal,
    ): Promise<unknown> =>
      caller.call(
        'delete',
        (api, init) => api.deletePoints({ collection_name, wait, ...selector }, init),
        signal,
      );
    return {
      from: rebuild?.from,
      finishRebuild: async (signal) => {
        if (rebuild) await finishRebuild(caller, given, signal);
      },
      end: () => connection.end(),
      facts: (signal) => factsOf(caller, options, signal),
      async upsert(scope, entries, signal) {
        for (const points of batchesOf(encode(scope, entries, dimension), limits))
          await caller.call(
            'upsert',
            (api, init) => api.upsertPoints({ collection_name, wait, points }, init),
            signal,
          );
      },
      query: (query, signal) => nearest(search, query, signal),
      list: (scope, query, signal) => listIds({ caller, options, most }, scope, query, signal),
      async remove(scope, ids, signal) {
        if (ids === 'all') await remove({ filter: { must: [inScope(scope)] } }, signal);
        else for (const points of idBatches(scope, ids)) await remove({ points }, signal);
      },
      async count(scope, signal) {
        const body = { collection_name, filter: { must: [inScope(scope)] }, exact: true };
        const { count } = await caller.call('count', (api, init) => api.countPoints(body, init), signal);
        return count;
      },
    };
  } catch (error) {
    await connection.end();
    throw error;
  }
}
