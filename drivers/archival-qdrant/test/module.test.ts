import { ARCHIVAL, type ArchivalDriver, EMBEDDER, type EmbedderDriver } from '@pagefault/contracts';
import { Container } from 'inversify';
import { expect, it } from 'vitest';
import { archivalQdrantModule } from '../src/module.js';

it('the module binds one archival, as wide as the embedder', () => {
  const container = new Container();
  const supports = { dimension: 7, maxTokens: 1, fingerprint: 'f' };
  container.bind<EmbedderDriver>(EMBEDDER).toConstantValue({ supports } as EmbedderDriver);
  container.load(archivalQdrantModule({ url: 'qdrant://localhost' }));
  const archival = container.get<ArchivalDriver>(ARCHIVAL);
  expect([archival.name, archival.supports]).toEqual(['qdrant', { dimension: 7, exact: true }]);
  expect(container.get<ArchivalDriver>(ARCHIVAL)).toBe(archival);
});
