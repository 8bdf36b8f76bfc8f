import { RECALL, type RecallDriver } from '@pagefault/contracts';
import { SQL, type SqlPort } from '@pagefault/driver-kit';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { Container } from 'inversify';
import { expect, it } from 'vitest';
import { recallPostgresModule } from '../src/module.js';

it('the module binds one recall on the SQL port of the container', async () => {
  const container = new Container();
  container.bind<SqlPort>(SQL).toConstantValue(createPgliteSql({ dataDir: MEMORY }));
  await container.loadAsync(recallPostgresModule({ schema: 'own' }));
  const recall = container.get<RecallDriver>(RECALL);
  expect([recall.kind, recall.name, recall.supports]).toEqual([
    'recall',
    'postgres',
    { shared: false, durable: false },
  ]);
  expect(container.get<RecallDriver>(RECALL)).toBe(recall);
});
