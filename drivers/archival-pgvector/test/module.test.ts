import { ARCHIVAL, type ArchivalDriver, EMBEDDER, type EmbedderDriver } from '@pagefault/contracts';
import { SQL, type SqlPort } from '@pagefault/driver-kit';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { Container } from 'inversify';
import { expect, it } from 'vitest';
import { archivalPgvectorModule } from '../src/module.js';

it('the module binds one archival on the SQL port, as wide as the embedder', async () => {
  const container = new Container();
  container.bind<SqlPort>(SQL).toConstantValue(createPgliteSql({ dataDir: MEMORY }));
  const supports = { dimension: 7, maxTokens: 1, fingerprint: 'f' };
  container.bind<EmbedderDriver>(EMBEDDER).toConstantValue({ supports } as EmbedderDriver);
  await container.loadAsync(archivalPgvectorModule());
  const archival = container.get<ArchivalDriver>(ARCHIVAL);
  expect([archival.name, archival.supports]).toEqual(['pgvector', { dimension: 7, exact: true }]);
  expect(container.get<ArchivalDriver>(ARCHIVAL)).toBe(archival);
});
