/** Texts to vectors: windows, batches, requests, and the mean over the windows of each text. */
import { type EmbedPurpose, PagefaultError } from '@pagefault/contracts';
import { type TokenCounter, windowsOf } from '@pagefault/driver-kit';
import { type Job, planBatches } from './batches.js';
import type { Options } from './options.js';
import { pool, type Weighted } from './pool.js';
import { requestVectors, type Server } from './request.js';

/** Of a model whose tokenizer is not known a window is so much of what it takes: others cut words into more pieces. */
const UNKNOWN_TOKENIZER_SHARE = 0.75;

/** Shorter texts are not cut any further when a server finds them too long. */
const SHORTEST_HALF = 16;

export async function embedTexts(
  server: Server,
  texts: readonly string[],
  counter: TokenCounter,
  purpose: EmbedPurpose,
): Promise<Float32Array[]> {
  const { options } = server;
  const parts: Weighted[][] = texts.map(() => []);
  for (const batch of planBatches(jobsOf(texts, options, counter, purpose), options)) {
    const vectors = await embedBatch(server, batch);
    batch.forEach(({ place, tokens }, at) => {
      const vector = vectors[at];
      if (vector !== undefined) parts[place]?.push({ vector, weight: tokens });
    });
  }
  return parts.map(pool);
}

/** Each window has the prefix of its purpose, and room for it. */
function jobsOf(
  texts: readonly string[],
  options: Options,
  counter: TokenCounter,
  purpose: EmbedPurpose,
): Job[] {
  const share = options.countsExactly ? 1 : UNKNOWN_TOKENIZER_SHARE;
  const prefix = (purpose === 'query' ? options.queryPrefix : options.documentPrefix) ?? '';
  const limits = {
    maxTokens: Math.max(1, Math.floor(options.maxTokens * share) - counter.count(prefix)),
    maxWindows: options.maxWindows,
    count: (text: string) => counter.count(text),
  };
  return texts.flatMap((text, place) =>
    windowsOf(text, limits).map((window) => ({ ...window, text: prefix + window.text, place })),
  );
}

/** What a server finds too long is halved until it fits: its tokenizer, or its limit on a request, is not ours. */
async function embedBatch(server: Server, batch: readonly Job[]): Promise<Float32Array[]> {
  const texts = batch.map(({ text }) => text);
  try {
    return await requestVectors(server, texts);
  } catch (error) {
    if (!PagefaultError.is(error) || error.code !== 'E_CONTEXT_OVERFLOW') throw error;
    if (batch.length > 1) return embedHalves(server, batch);
    const halves = halvesOf(batch[0]);
    if (halves.length < 2) throw error;
    const vectors = await embedBatch(server, halves);
    return [
      pool(halves.map(({ tokens }, at) => ({ vector: vectors[at] ?? new Float32Array(), weight: tokens }))),
    ];
  }
}

async function embedHalves(server: Server, batch: readonly Job[]): Promise<Float32Array[]> {
  const middle = Math.ceil(batch.length / 2);
  const first = await embedBatch(server, batch.slice(0, middle));
  return [...first, ...(await embedBatch(server, batch.slice(middle)))];
}

function halvesOf(job: Job | undefined): Job[] {
  const characters = [...(job?.text ?? '')];
  if (job === undefined || characters.length < 2 * SHORTEST_HALF) return [];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle), characters.slice(middle)]
    .map((half) => ({ ...job, text: half.join('').trim(), tokens: job.tokens / 2 }))
    .filter(({ text }) => text !== '');
}
