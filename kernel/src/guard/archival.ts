import type { ArchivalDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { Lifecycle } from './lifecycle.js';
import { headOf } from './recall.js';

/** An empty scope is refused here, so that no driver can take it for all tenants (B35). */
export function guardArchival(driver: ArchivalDriver): ArchivalDriver {
  const life = new Lifecycle(driver, 'E_STORAGE');
  const scoped = (scope: string): void => {
    if (scope !== '') return;
    throw new PagefaultError('E_INVALID', `${driver.name}: the scope is empty`, { driver: driver.name });
  };
  return {
    ...headOf(driver, life),
    upsert: (scope, entries, signal) =>
      life.call('upsert', signal, async () => (scoped(scope), driver.upsert(scope, entries, signal))),
    query: (query, signal) =>
      life.call('query', signal, async () => (scoped(query.scope), driver.query(query, signal))),
    remove: (scope, ids, signal) =>
      life.call('remove', signal, async () => (scoped(scope), driver.remove(scope, ids, signal))),
    count: (scope, signal) =>
      life.call('count', signal, async () => (scoped(scope), driver.count(scope, signal))),
    list: (scope, query, signal) =>
      life.call('list', signal, async () => (scoped(scope), driver.list(scope, query, signal))),
  };
}
