import type { CountablePiece, PagefaultError, ProcessorDriver } from '@pagefault/contracts';
import { type OpenAIDouble, type OpenAIDoubleOptions, startOpenAIDouble } from '@pagefault/doubles';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAIProcessor, type OpenAIProcessorOptions } from '../../src/index.js';
import { call, instantTiming, lookTool, message, replyOf, request, result, text } from '../helpers.js';

let double: OpenAIDouble;
let processor: ProcessorDriver;
afterEach(async () => {
  await processor.close();
  await double.close();
});

const conversation = request(
  [
    message('user', text('What do I breed? 羊驼 🦙')),
    message('assistant', text('Let me look.'), call('call_1', '{"at":"the notes"}')),
    message('tool', result('call_1', 'alpacas, 1,234 of them')),
    message('system', text('memory: 70 % full')),
  ],
  { tools: [lookTool], system: 'You are brief.' },
);
const pieces: readonly CountablePiece[] = [
  { kind: 'tools', tools: conversation.tools },
  { kind: 'system', text: conversation.system },
  ...conversation.messages.map((each) => ({ kind: 'message', message: each }) as const),
];

async function start(options: Partial<OpenAIProcessorOptions> = {}, server: OpenAIDoubleOptions = {}) {
  double = await startOpenAIDouble({
    respond: () => ({ text: 'ok' }),
    reply: () => ({ text: 'ok' }),
    ...server,
  });
  processor = createOpenAIProcessor({
    api: 'responses',
    model: 'o3',
    baseURL: double.origin,
    counting: 'exact',
    timing: instantTiming(),
    ...options,
  });
  await processor.open();
}

/** Hears why bounds stand in. */
function listener() {
  const heard: PagefaultError[] = [];
  return Object.assign((why: PagefaultError) => void heard.push(why), { heard });
}

const counted = () => double.requests.filter(({ path }) => path === '/v1/responses/input_tokens');
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

describe('exact counts by Responses', () => {
  it('are the server’s, one for each piece, and together no less than what it then reads (A34)', async () => {
    await start();
    const told = listener();
    const counts = await processor.count(pieces, undefined, told);
    expect(told.heard).toEqual([]);
    expect(counted()).toHaveLength(pieces.length);
    expect(counted().flatMap(({ problems }) => problems)).toEqual([]);
    const { plain } = (await replyOf(processor.infer(conversation))).usage;
    expect(sum(counts)).toBeGreaterThanOrEqual(plain);
    expect(sum(counts)).toBeLessThan(plain + 20 * pieces.length);
  });

  it('are asked for nothing that is empty, and not at all before open', async () => {
    await start();
    await processor.count([
      { kind: 'tools', tools: [] },
      { kind: 'system', text: ' ' },
    ]);
    await processor.close();
    expect((await processor.count(pieces)).every((count) => count > 0)).toBe(true);
    expect(double.requests).toEqual([]);
  });

  it('fall back to bounds with a server that has no such thing, which is not asked again', async () => {
    await start({}, { counts: false });
    const told = listener();
    const counts = await processor.count(pieces, undefined, told);
    const asked = double.requests.length;
    await processor.count(pieces, undefined, told);
    expect(double.requests).toHaveLength(asked);
    // Each time: whose tokens they are is not known here.
    const why = { code: 'E_REQUEST', message: expect.stringMatching(/counting is exact, but .*404/) };
    expect(told.heard).toMatchObject([why, why]);
    await processor.close();
    expect(counts).toEqual(await processor.count(pieces));
  });

  it.each<[string, Partial<OpenAIProcessorOptions>]>([
    ['by default', { counting: 'bounds' }],
    ['by Chat Completions, which has no count', { api: 'chat' }],
  ])('are not asked for %s', async (_title, options) => {
    await start(options);
    const told = listener();
    await processor.count(pieces, undefined, told);
    expect(double.requests).toEqual([]);
    const isWanted = options.counting !== 'bounds';
    expect(told.heard).toMatchObject(isWanted ? [{ code: 'E_UNSUPPORTED' }] : []);
  });

  it('that a client cannot ask for are told of', async () => {
    const create = () => Promise.reject(new Error('not asked'));
    await start({ client: { chat: { completions: { create } }, responses: { create } } });
    const told = listener();
    await processor.count(pieces, undefined, told);
    expect(told.heard).toMatchObject([
      { code: 'E_UNSUPPORTED', message: expect.stringMatching('the client has no') },
    ]);
  });

  it('that fail are told of without the key, and those that the caller stopped are not', async () => {
    await start({ apiKey: 'the-key-that-is-wrong' }, { apiKey: 'the-key' });
    const told = listener();
    await processor.count(pieces, undefined, told);
    expect(told.heard).toMatchObject([{ code: 'E_AUTH', driver: 'processor-openai' }]);
    expect(String(told.heard[0]?.cause) + told.heard[0]?.message).not.toMatch('the-key-that-is-wrong');
    await processor.count(pieces, AbortSignal.abort(), told);
    expect(told.heard).toHaveLength(1);
  });
});
