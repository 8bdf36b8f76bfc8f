import type { PagefaultError } from '@pagefault/contracts';
import { parseOptions } from '@pagefault/driver-kit';

import { describe, expect, it } from 'vitest';
import { loadOnnx } from '../src/onnx/load.js';
import { openModel, type OnnxLoader } from '../src/model/open.js';
import { localEmbedderOptions, type LocalEmbedderOptions } from '../src/options.js';
import { tokenize } from '../src/text/tokenizer.js';
import { cosine, largestDifference, temporaryFolder } from './support.js';

const onnx = await loadOnnx();
const absent: OnnxLoader = () => Promise.reject(new Error("Cannot find package 'onnxruntime-node'"));
const present: OnnxLoader = async () => onnx;

describe('the two runtimes', () => {
  const cacheDir = temporaryFolder();
  const open = (options: LocalEmbedderOptions, load: OnnxLoader): ReturnType<typeof openModel> =>
    openModel(
      parseOptions('embedder-local', localEmbedderOptions, { cacheDir: cacheDir(), ...options }),
      load,
    );

  it('give the same numbers within 1e-5, alone and padded', async () => {
    const [native, plain] = [await open({}, present), await open({ runtime: 'plain' }, absent)];
    expect([native.runtime.name, plain.runtime.name]).toEqual(['onnx', 'plain']);
    const texts = [
      'x',
      '🙂',
      'I breed alpacas in Cork.',
      'The quick brown fox: 10:00, 3.5 %!',
      'the '.repeat(128),
    ];
    const windows = texts.map((text) => Int32Array.from(tokenize(plain.vocabulary, text)));
    const expected = await plain.runtime.run(windows, () => {});
    const padded = await native.runtime.run(windows, () => {});
    for (const [i, window] of windows.entries()) {
      const [alone] = await native.runtime.run([window], () => {});
      expect(largestDifference(expected[i], alone)).toBeLessThan(1e-5);
      expect(largestDifference(expected[i], padded[i])).toBeLessThan(1e-5);
      expect(cosine(expected[i], expected[i])).toBeCloseTo(1, 6);
    }
    await native.runtime.close();
    await plain.runtime.close();
  });

  it('fall back to the plain one, with a warning, when onnxruntime-node is absent', async () => {
    const warnings: PagefaultError[] = [];
    const model = await open({ onWarning: (warning) => warnings.push(warning) }, absent);
    expect(model.runtime.name).toBe('plain');
    expect(warnings).toMatchObject([{ code: 'E_UNSUPPORTED', hint: expect.stringContaining('npm install') }]);
    await model.runtime.close();
  });

  it('fall back as well when onnxruntime-node cannot run the model', async () => {
    const warnings: PagefaultError[] = [];
    const create = (): Promise<never> => Promise.reject(new Error('illegal instruction'));
    const broken: OnnxLoader = async () => ({ ...onnx, InferenceSession: { create } });
    const model = await open({ onWarning: (warning) => warnings.push(warning) }, broken);
    expect(model.runtime.name).toBe('plain');
    expect(warnings).toMatchObject([{ cause: { message: 'illegal instruction' } }]);
    await model.runtime.close();
  });

  it('refuse with E_CONFIG when the native one was asked for by name', async () => {
    await expect(open({ runtime: 'onnx' }, absent)).rejects.toMatchObject({ code: 'E_CONFIG' });
  });

  it('say nothing when the plain one was asked for by name', async () => {
    const warnings: PagefaultError[] = [];
    await open({ runtime: 'plain', onWarning: (warning) => warnings.push(warning) }, absent);
    expect(warnings).toEqual([]);
  });

  it('stop the plain one between windows', async () => {
    const { runtime } = await open({ runtime: 'plain' }, absent);
    let asked = 0;
    const stop = (): void => {
      if (++asked === 2) throw new Error('stop');
    };
    await expect(runtime.run([Int32Array.of(649), Int32Array.of(649)], stop)).rejects.toThrow('stop');
    expect(asked).toBe(2);
  });

  it('cannot be used once the native session was released', async () => {
    const { runtime } = await open({}, present);
    await runtime.close();
    await expect(runtime.run([Int32Array.of(649)], () => {})).rejects.toMatchObject({ code: 'E_STORAGE' });
  });
});
