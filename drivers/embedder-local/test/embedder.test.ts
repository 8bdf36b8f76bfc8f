import { createLocalEmbedder } from '../src/index.js';
import type { EmbedderDriver } from '@pagefault/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cosine, largestDifference, temporaryFolder } from './support.js';

const ALPACAS = [
  'I breed alpacas in Cork.',
  'Her herd of alpacas gives fine wool.',
  'Llamas and alpacas eat hay.',
];
const CARS = [
  'The car needs new brakes.',
  'He drives a fast red car.',
  'The engine of the truck broke down.',
];

describe('the bundled model', () => {
  const cacheDir = temporaryFolder();
  let embedder: EmbedderDriver;
  beforeAll(async () => {
    embedder = createLocalEmbedder({ cacheDir: cacheDir() });
    await embedder.open();
  });
  afterAll(() => embedder.close());

  it('puts every alpaca sentence nearer to its like than to any car sentence', async () => {
    const [alpacas, cars] = [await embedder.embed(ALPACAS), await embedder.embed(CARS)];
    const within = alpacas.flatMap((a, i) => alpacas.slice(i + 1).map((b) => cosine(a, b)));
    const across = alpacas.flatMap((a) => cars.map((b) => cosine(a, b)));
    expect(Math.min(...within)).toBeGreaterThan(Math.max(...across));
  });

  it('finds the answer by the question', async () => {
    const [question, ...answers] = await embedder.embed([
      'What animals does she keep?',
      'She keeps alpacas on a farm.',
      'The meeting starts at noon.',
      'Prices rose by four per cent.',
    ]);
    const scores = answers.map((answer) => cosine(question, answer));
    expect(scores.indexOf(Math.max(...scores))).toBe(0);
  });

  it('gives the numbers of the reference implementation', async () => {
    const [vector] = await embedder.embed(['My name is Ada and I breed alpacas in Cork.']);
    const reference = [-0.054881, 0.004662, -0.025875, -0.063069, -0.018529, 0.048012];
    reference.forEach((n, i) => expect(vector?.[i]).toBeCloseTo(n, 5));
  });

  it('gives 512 numbers of length 1 for any text, also one without a known sign', async () => {
    const texts = ['x', '🙂', '\u0000', '\ud800', '日本語', 'wool '.repeat(2000), 'z'.repeat(3000)];
    for (const vector of await embedder.embed(texts)) {
      expect(vector).toHaveLength(512);
      expect(cosine(vector, vector)).toBeCloseTo(1, 6);
    }
  });

  it('keeps the order of the texts, whatever their lengths', async () => {
    const texts = Array.from(
      { length: 80 },
      (_, i) => `alpaca number ${i} ${'eats hay '.repeat((i * 7) % 30)}`,
    );
    const together = await embedder.embed(texts);
    for (const i of [0, 1, 29, 30, 79]) {
      const [alone] = await embedder.embed([texts[i] ?? '']);
      expect(largestDifference(together[i], alone)).toBeLessThan(1e-6);
    }
  });

  it('gives the same bits for the same call', async () => {
    const texts = [...ALPACAS, ...CARS];
    expect(await embedder.embed(texts)).toEqual(await embedder.embed(texts));
  });

  it('lets all parts of a long text count (B32)', async () => {
    const [long, alpacas, cars] = await embedder.embed([
      `${ALPACAS.join(' ').repeat(20)} ${CARS.join(' ').repeat(20)}`,
      ALPACAS.join(' '),
      CARS.join(' '),
    ]);
    expect(cosine(long, alpacas)).toBeGreaterThan(0.5);
    expect(cosine(long, cars)).toBeGreaterThan(0.5);
  });

  it('answers two calls at a time with what each asked', async () => {
    const [a, b] = await Promise.all([embedder.embed(ALPACAS), embedder.embed(CARS)]);
    expect(a).toEqual(await embedder.embed(ALPACAS));
    expect(b).toEqual(await embedder.embed(CARS));
  });
});
