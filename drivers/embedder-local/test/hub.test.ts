/** Models of the hub, by the real library and a local server in the hub's place. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLocalEmbedder, type LocalEmbedderOptions } from '../src/index.js';
import { largestDifference, temporaryFolder } from './support.js';
import { TINY_WIDTH, writeTinyModel } from './tiny-model.js';

// An optional package: without it the tests are skipped, and say so.
const library = await import('@huggingface/transformers').catch(() => undefined);

const MODEL = 'acme/tiny-sentences';
const root = temporaryFolder();
let caches = 0;
const newCache = () => join(root(), `cache-${(caches += 1)}`);

let server: Server;
let folder = '';
/** Paths that were asked for. */
const asked: string[] = [];
/** Answers this status instead. */
let failsWith: number | undefined;
const hubOfLibrary = library?.env.remoteHost;

beforeAll(async () => {
  if (!library) return;
  folder = await writeTinyModel(join(root(), 'model'));
  server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push(path);
    const [, file] = /^\/acme\/tiny-sentences\/resolve\/(?:main|v2)\/(.+)$/.exec(path) ?? [];
    if (failsWith !== undefined || file === undefined) return void response.writeHead(failsWith ?? 404).end();
    readFile(join(folder, file)).then(
      (bytes) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  library.env.remoteHost = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterEach(() => {
  asked.length = 0;
  failsWith = undefined;
});

afterAll(async () => {
  if (!library || hubOfLibrary === undefined) return;
  library.env.remoteHost = hubOfLibrary;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const hub = (options: LocalEmbedderOptions) =>
  createLocalEmbedder({ model: MODEL, dimension: TINY_WIDTH, maxTokens: 32, pooling: 'mean', ...options });

async function vectorBy(options: LocalEmbedderOptions): Promise<Float32Array | undefined> {
  const embedder = options.model === undefined ? hub(options) : createLocalEmbedder(options);
  await embedder.open();
  const [vector] = await embedder.embed(['our alpaca eats hay']);
  await embedder.close();
  return vector;
}

if (!library) {
  it('a model of the hub is downloaded', ({ skip }) => skip('@huggingface/transformers is not installed'));
} else {
  describe('a model of the hub', () => {
    it('is downloaded once, and gives the vectors that its folder gives', async () => {
      const cacheDir = newCache();
      const vector = await vectorBy({ cacheDir });
      expect(largestDifference(vector, await vectorBy({ model: folder }))).toBeLessThan(1e-5);
      const at = (file: string) => `/${MODEL}/resolve/main/${file}`;
      for (const file of ['config.json', 'tokenizer.json', 'onnx/model.onnx'])
        expect(asked).toContain(at(file));
      asked.length = 0;
      failsWith = 503; // The network is gone: what was downloaded serves.
      expect(await vectorBy({ cacheDir })).toEqual(vector);
      expect(asked.filter((path) => path.endsWith('.onnx'))).toEqual([]);
    });

    it('is that of the revision, which has a fingerprint of its own', async () => {
      await vectorBy({ cacheDir: newCache(), revision: 'v2' });
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.every((path) => path.startsWith(`/${MODEL}/resolve/v2/`))).toBe(true);
      const print = (options: LocalEmbedderOptions) => hub(options).supports.fingerprint;
      expect(print({ revision: 'v2' })).toMatch(`${MODEL}@v2/`);
      expect(print({ revision: 'v2' })).not.toBe(print({}));
    });

    it('asks for nothing before it is opened', () => {
      hub({ cacheDir: newCache() });
      expect(asked).toEqual([]);
    });

    it.each([404, 401, 503])('that answers %i is an error that says what to check', async (status) => {
      failsWith = status;
      const embedder = hub({ cacheDir: newCache() });
      await expect(embedder.open()).rejects.toMatchObject({
        code: 'E_STORAGE',
        message: expect.stringMatching(`the model ${MODEL} cannot be loaded`),
        hint: expect.stringMatching('check the id, the revision and the network'),
      });
      await embedder.close();
    });

    it('of another dimension than said is refused, with the one that it has', async () => {
      await expect(vectorBy({ cacheDir: newCache(), dimension: 8 })).rejects.toMatchObject({
        code: 'E_DIMENSION',
        hint: expect.stringMatching(`dimension to ${TINY_WIDTH}`),
      });
    });
  });
}
