import { EMBEDDER, type EmbedderDriver } from '@pagefault/contracts';
import { Container } from 'inversify';
import { describe, expect, it } from 'vitest';
import { embedderLocalModule } from '../src/module.js';

describe('the module', () => {
  it('binds one embedder for the whole container, not yet opened', async () => {
    const container = new Container();
    container.load(embedderLocalModule({ threads: 1 }));
    const embedder = container.get<EmbedderDriver>(EMBEDDER);
    expect(embedder).toMatchObject({ kind: 'embedder', name: 'embedder-local' });
    expect(container.get(EMBEDDER)).toBe(embedder);
    await expect(embedder.embed(['a'])).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });
});
