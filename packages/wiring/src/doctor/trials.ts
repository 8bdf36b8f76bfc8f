/**
 * What is tried on a driver: it is written to and read back. Everything is done under an id of its own and removed again,
 * so that a store with processes in it is as it was.
 */
import {
  type ArchivalDriver,
  type EmbedderDriver,
  type Fact,
  type LogEntry,
  LATEST,
  PagefaultError,
  type ProcessorDriver,
  type RecallDriver,
} from '@pagefault/contracts';

/** A millisecond of a lease is enough: it is given back at once. */
const LEASE_MS = 1_000;

const MESSAGE: LogEntry = {
  seq: 1,
  page: 1,
  message: { id: 'doctor', role: 'user', at: 0, parts: [{ type: 'text', text: 'Does it come back? ☤' }] },
};

export async function tryRecall(
  recall: RecallDriver,
  id: string,
  signal: AbortSignal,
): Promise<readonly Fact[]> {
  const lineage = [{ pid: id, upTo: LATEST }];
  try {
    const lease = await recall.acquireLease(id, id, LEASE_MS, signal);
    if (!lease) throw broken(recall, 'a lease on a new process was not given');
    await recall.commit({ pid: id, fence: lease.fence, appends: [MESSAGE] }, signal);
    const { items } = await recall.read(lineage, { limit: 1 }, signal);
    if (JSON.stringify(items) !== JSON.stringify([MESSAGE]))
      throw broken(recall, 'what was written did not come back as it was');
    await recall.releaseLease(id, id);
  } finally {
    await recall.erase({ pid: id, whole: true }, signal);
  }
  const { durable, shared } = recall.supports;
  return [
    { name: 'durable', value: durable ? 'yes' : 'no, it ends with the program' },
    { name: 'shared', value: shared ? 'by several programs' : 'one program at a time' },
  ];
}

export async function tryArchival(
  archival: ArchivalDriver,
  id: string,
  signal: AbortSignal,
): Promise<readonly Fact[]> {
  const { dimension, exact } = archival.supports;
  const vector = new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
  const scope = `doctor/${id}`;
  try {
    await archival.upsert(scope, [{ id: 'doctor', vector, at: 0 }], signal);
    const [hit] = await archival.query({ scope, vector, limit: 1 }, signal);
    if (hit?.id !== 'doctor') throw broken(archival, 'a vector that was written was not found');
  } finally {
    await archival.remove(scope, 'all', signal);
  }
  return [
    { name: 'dimension', value: String(dimension) },
    { name: 'search', value: exact ? 'exact' : 'approximate' },
  ];
}

export async function tryEmbedder(embedder: EmbedderDriver, signal: AbortSignal): Promise<readonly Fact[]> {
  const { dimension, maxTokens } = embedder.supports;
  const [vector] = await embedder.embed(['An alpaca.'], signal);
  if (vector?.length !== dimension)
    throw broken(
      embedder,
      `it gave a vector of ${vector?.length ?? 0} numbers, and says that they are ${dimension}`,
    );
  return [
    { name: 'dimension', value: String(dimension) },
    { name: 'reads', value: `${maxTokens} tokens of a text` },
  ];
}

/** Enough for a word, and for a model that thinks first. */
const ANSWER_TOKENS = 256;

/** With `ask` it answers a question, which costs a few tokens; else nothing is sent. */
export async function tryProcessor(
  processor: ProcessorDriver,
  ask: boolean,
  signal: AbortSignal,
): Promise<readonly Fact[]> {
  const { model, window, maxOutput, prices } = processor.supports;
  if (ask) await askSomething(processor, Math.min(ANSWER_TOKENS, maxOutput), signal);
  return [
    { name: 'model', value: model },
    { name: 'window', value: `${window} tokens` },
    ...(prices ? [{ name: 'price', value: `$${prices.input} in, $${prices.output} out per million` }] : []),
    ...(ask ? [] : [{ name: 'answers', value: 'not asked' }]),
  ];
}

async function askSomething(
  processor: ProcessorDriver,
  maxOutput: number,
  signal: AbortSignal,
): Promise<void> {
  const parts = [{ type: 'text', text: 'Say yes.' }] as const;
  const request = {
    tools: [],
    system: 'Answer with one word.',
    messages: [{ id: 'doctor', role: 'user', at: 0, parts }],
    maxOutput,
  } as const;
  for await (const event of processor.infer(request, signal)) if (event.type === 'finish') return;
  throw broken(processor, 'its answer had no end');
}

function broken({ name }: { readonly name: string }, what: string): PagefaultError {
  return new PagefaultError('E_PROTOCOL', `${name}: ${what}`, {
    driver: name,
    hint: 'the conformance suites show what else it does not keep',
  });
}
