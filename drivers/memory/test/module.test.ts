import {
  ARCHIVAL,
  type ArchivalDriver,
  EMBEDDER,
  type EmbedderDriver,
  RECALL,
  type RecallDriver,
} from '@pagefault/contracts';
import { Container } from 'inversify';
import { describe, expect, it } from 'vitest';
import { memoryModule, memoryRecallModule } from '../src/module.js';

const embedder: EmbedderDriver = {
  kind: 'embedder',
  name: 'three-wide',
  specVersion: 1,
  supports: Object.freeze({ dimension: 3, maxTokens: 8, fingerprint: 'three-wide' }),
  open: async () => {},
  close: async () => {},
  embed: async () => [],
};

describe('the module of the memory drivers', () => {
  it('binds one recall and one archival as wide as the embedder', () => {
    const container = new Container();
    container.bind(EMBEDDER).toConstantValue(embedder);
    container.load(memoryModule());
    expect(container.get(RECALL)).toBe(container.get(RECALL));
    expect(container.get<ArchivalDriver>(ARCHIVAL).supports.dimension).toBe(3);
  });

  it('can bind recall alone, without an embedder', () => {
    const container = new Container();
    container.load(memoryRecallModule());
    expect(container.get<RecallDriver>(RECALL).name).toBe('memory');
    expect(container.isBound(ARCHIVAL)).toBe(false);
  });
});
