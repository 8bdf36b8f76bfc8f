import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalEmbedder, type LocalEmbedderOptions } from '../src/index.js';
import { sourceOf } from '../src/source.js';
import { factsOf } from '../src/transformer/config.js';
import { poolTokens } from '../src/transformer/pooling.js';
import { temporaryFolder } from './support.js';
import { writeTinyModel } from './tiny-model.js';

describe('the option model', () => {
  it('tells folders, hub ids and the bundled model apart by how they begin', () => {
    expect(sourceOf('bundled')).toEqual({ kind: 'bundled' });
    expect(sourceOf('./models/mini')).toEqual({ kind: 'folder', path: resolve('models/mini') });
    expect(sourceOf('..')).toEqual({ kind: 'folder', path: resolve('..') });
    expect(sourceOf('~/mini')).toEqual({ kind: 'folder', path: join(homedir(), 'mini') });
    expect(sourceOf(resolve('mini'))).toEqual({ kind: 'folder', path: resolve('mini') });
    expect(sourceOf('Xenova/all-MiniLM-L6-v2')).toEqual({ kind: 'hub', id: 'Xenova/all-MiniLM-L6-v2' });
  });

  it.each(['mini', 'a/b/c', 'https://example.org/x', 'owner/', '-'])(
    'refuses %j, saying what there is',
    (model) => {
      expect(() => sourceOf(model)).toThrow(
        expect.objectContaining({ code: 'E_CONFIG', hint: expect.stringContaining('./') }),
      );
    },
  );
});

const facts = (files: Readonly<Record<string, unknown>>, isPoolingChosen = false) =>
  factsOf((name) => files[name], isPoolingChosen);

const modules = (...kinds: string[]) =>
  kinds.map((kind, idx) => ({
    idx,
    path: idx === 0 ? '' : `${idx}_${kind}`,
    type: `sentence_transformers.models.${kind}`,
  }));

describe('the files of a folder', () => {
  it('tell nothing when there are none', () => {
    expect(facts({})).toEqual({});
  });

  it('tell the limit that is the lowest: the authors’, the tokenizer’s, the number of positions', () => {
    const of = (seq: number, tokenizer: number, positions: number, type = 'bert') =>
      facts({
        'sentence_bert_config.json': { max_seq_length: seq },
        'tokenizer_config.json': { model_max_length: tokenizer },
        'config.json': { max_position_embeddings: positions, model_type: type },
      }).maxTokens;
    expect(of(256, 512, 512)).toBe(256);
    expect(of(512, 128, 512)).toBe(128);
    expect(of(514, 1e30, 514, 'xlm-roberta')).toBe(512);
  });

  it.each([
    [{ hidden_size: 384 }, 384],
    [{ dim: 768 }, 768],
    [{ d_model: 512 }, 512],
  ])('tell the dimension of a model without modules: %j', (config, dimension) => {
    expect(facts({ 'config.json': config })).toEqual({ dimension });
  });

  it('tell the dimension after a dense layer, which only the graph can do', () => {
    const files = {
      'modules.json': modules('Transformer', 'Pooling', 'Dense'),
      '2_Dense/config.json': { out_features: 512 },
    };
    expect(() => facts(files)).toThrow(/module Dense/);
    expect(() => facts(files)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("pooling: 'graph'") }),
    );
    expect(facts(files, true)).toEqual({ dimension: 512 });
  });

  it.each([
    { pooling_mode_max_tokens: true },
    { pooling_mode_mean_tokens: true, pooling_mode_cls_token: true },
    { pooling_mode: 'weightedmean' },
  ])('are refused when they pool as is not known here: %j', (config) => {
    const files = { 'modules.json': modules('Transformer', 'Pooling'), '1_Pooling/config.json': config };
    expect(() => facts(files)).toThrow(/pools by/);
  });
});

describe('options', () => {
  const root = temporaryFolder();
  const refusal = (options: LocalEmbedderOptions) => {
    try {
      createLocalEmbedder(options);
      return 'taken';
    } catch (error) {
      return error;
    }
  };

  it.each<[string, LocalEmbedderOptions, RegExp]>([
    [
      'an option of other models beside the bundled one',
      { pooling: 'cls' },
      /pooling: is not to be chosen for the bundled model/,
    ],
    ['the plain runtime for a hub model', { model: 'a/b', runtime: 'plain' }, /runtime: 'plain'/],
    [
      'a hub model that the table does not know',
      { model: 'a/b' },
      /dimension: missing.*"a\/b" is none of Xenova/,
    ],
    ['its pooling, too', { model: 'a/b', dimension: 3, maxTokens: 512 }, /pooling: missing/],
    ['a folder that is not there', { model: './no-such-model' }, /no-such-model does not exist/],
    ['an unknown number format', { model: 'a/b', dtype: 'fp8' as never }, /dtype/],
  ])('are refused at construction: %s', (_title, options, message) => {
    expect(refusal(options)).toMatchObject({ code: 'E_CONFIG', message: expect.stringMatching(message) });
  });

  it('are enough for a hub model that the table does not know', () => {
    const options = { model: 'a/b', dimension: 3, maxTokens: 512, pooling: 'mean' } as const;
    expect(createLocalEmbedder(options).supports).toMatchObject({ dimension: 3, maxTokens: 512 });
  });

  it('are refused with a folder that lacks a file, or has one that is broken', async () => {
    const empty = join(root(), 'empty');
    await mkdir(empty);
    expect(refusal({ model: empty })).toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('no ONNX graph'),
    });
    const bare = await writeTinyModel(join(root(), 'bare'), { files: { 'tokenizer.json': null } });
    expect(refusal({ model: bare })).toMatchObject({ message: expect.stringContaining('no tokenizer.json') });
    const torn = await writeTinyModel(join(root(), 'torn'), { files: { 'config.json': '{"hid' } });
    expect(refusal({ model: torn })).toMatchObject({
      message: expect.stringContaining('config.json is no JSON'),
    });
    const silent = await writeTinyModel(join(root(), 'silent'), { files: { 'modules.json': null } });
    expect(refusal({ model: silent })).toMatchObject({
      message: expect.stringContaining('pooling: missing'),
    });
    await writeFile(join(silent, 'modules.json'), '[]');
    expect(refusal({ model: silent, pooling: 'mean' })).toBe('taken');
    expect(refusal({ model: silent, pooling: 'mean', revision: 'main' })).toMatchObject({
      message: expect.stringContaining('revision'),
    });
  });
});

describe('pooling', () => {
  const states = { numbers: [3, 0, 0, 8, 0, 4, 9, 9], width: 2, isToken: [true, false, true, false] };

  it.each([
    ['mean', [0.6, 0.8]],
    ['cls', [1, 0]],
    ['last', [0, 1]],
  ] as const)('by %s counts tokens alone', (pooling, wanted) => {
    expect([...poolTokens(states, pooling)].map((n) => Number(n.toFixed(6)))).toEqual(wanted);
  });

  it('by last finds the last token also when padding comes first', () => {
    expect([...poolTokens({ ...states, isToken: [false, true, true, true] }, 'last')][0]).toBeCloseTo(
      Math.SQRT1_2,
    );
  });
});
