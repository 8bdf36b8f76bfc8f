import type { Fact } from '@pagefault/contracts';
import type { Caller } from './call.js';
import { describe } from './collection.js';
import { type Options, placeOf } from './options.js';
import { serverVersion } from './version.js';

/** Which server, how much is in the collection, and how it is searched. */
export async function factsOf(
  caller: Caller,
  options: Options,
  signal?: AbortSignal,
): Promise<readonly Fact[]> {
  const version = await serverVersion(caller, signal);
  const info = await describe(caller, options, signal);
  const place = placeOf(options);
  return [
    {
      name: 'server',
      value: `Qdrant${version === undefined ? ', which does not tell its version' : ` ${version}`}`,
    },
    ...(place === undefined ? [] : [{ name: 'place', value: place }]),
    { name: 'collection', value: options.collection },
    { name: 'points', value: String(info?.points_count ?? 0) },
    {
      name: 'mode',
      value: options.exact ? 'compares with every vector of a scope' : 'by the graph, which may miss',
    },
  ];
}
