import type { DoubleReply, Fault } from '@pagefault/doubles';
import { afterEach, describe, expect, it } from 'vitest';
import { asks, brokenPairs, startTalk, type Talk, tells, textsOf } from './talk.js';

let talk: Talk;
afterEach(() => talk.close());

const overloaded = (after: number): Fault => ({ kind: 'error-event', after });
/** Role and head of the call come first; then the text of the answer, in pieces. */
const SHOWN = 6;
const LONG = 'I was about to tell you a long story about the alpacas of Cork.';

/** The replies in order, then an answer to anything. */
function script(...replies: readonly DoubleReply[]): (request: unknown, n: number) => DoubleReply {
  return (_, n) => replies[n] ?? tells(`All is well again (${n}).`);
}

async function isWellAgain(): Promise<void> {
  const next = await talk.agent.send('And now?');
  expect(next).toMatchObject({ outcome: 'answered', text: expect.stringContaining('well again') });
  expect(brokenPairs(await talk.log())).toEqual([]);
}

describe('a fault of the provider', () => {
  it.each<[string, Fault]>([
    ['an overload inside the stream', overloaded(0)],
    ['a cut connection', { kind: 'destroy', after: 0 }],
    ['a stream that ends too early', { kind: 'end', after: 1 }],
    ['status 503', { kind: 'status', status: 503 }],
    ['status 429', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }],
  ])('before anything was shown is tried again: %s (C13, C17)', async (_, fault) => {
    talk = await startTalk({ reply: script(tells(LONG, { fault }), tells(LONG)) });
    expect(await talk.agent.send('Tell me.')).toMatchObject({ outcome: 'answered', text: LONG, cycles: 1 });
    expect(textsOf(await talk.log()).filter((text) => text.includes('interrupted'))).toEqual([]);
    await isWellAgain();
    expect(talk.refusals()).toEqual([]);
  });

  it.each<[string, Fault]>([
    ['an overload inside the stream', overloaded(SHOWN)],
    ['a cut connection', { kind: 'destroy', after: SHOWN }],
    ['a stream that ends too early', { kind: 'end', after: SHOWN }],
  ])(
    'after something was shown ends the turn, and what was shown is kept as interrupted: %s (C14)',
    async (_, fault) => {
      talk = await startTalk({ reply: script(tells(LONG, { fault })) });
      let shown = '';
      talk.kernel.bus.on('delta', ({ text }) => (shown += text));
      const result = await talk.agent.send('Tell me.');
      expect(result).toMatchObject({ outcome: 'failed', failure: { code: expect.stringMatching(/^E_/) } });
      expect(shown.length).toBeGreaterThan(5);
      const texts = textsOf(await talk.log());
      expect(texts).toContain(shown.trim());
      expect(texts.at(-1)).toMatch(/interrupted and is not complete/);
      expect(talk.chats()).toHaveLength(1);
      await isWellAgain();
      expect(talk.refusals()).toEqual([]);
    },
  );

  it('that is for good is told once, and the next message is served (C18)', async () => {
    const fault: Fault = { kind: 'status', status: 400, body: { error: { message: 'no such model' } } };
    talk = await startTalk({ reply: script(tells(LONG, { fault })) });
    expect(await talk.agent.send('Tell me.')).toMatchObject({
      outcome: 'failed',
      failure: { code: 'E_REQUEST' },
    });
    expect(talk.chats()).toHaveLength(1);
    await isWellAgain();
  });

  it('never shows the key (invariant 9)', async () => {
    const body = { error: { message: 'Incorrect API key provided: sk-secret-key-0001' } };
    const fault: Fault = { kind: 'status', status: 401, body };
    talk = await startTalk({ reply: script(tells(LONG, { fault })) });
    const { failure } = await talk.agent.send('Tell me.');
    expect(failure).toMatchObject({ code: 'E_AUTH' });
    expect(JSON.stringify(failure)).not.toContain('Bearer key');
    await isWellAgain();
  });

  it('during the summary evicts nothing from view, and the conversation goes on (A52)', async () => {
    const fault: Fault = { kind: 'status', status: 500 };
    const reply = (): DoubleReply => tells('A fleece like that is rare. '.repeat(12));
    talk = await startTalk({ reply, summary: () => ({ fault }) });
    let flushes = 0;
    talk.kernel.bus.on('flush-finished', () => (flushes += 1));
    for (let turn = 0; turn < 40; turn += 1) {
      const { outcome } = await talk.agent.send(`Turn ${turn}: ${'the alpaca was sheared. '.repeat(8)}`);
      expect(outcome).toBe('answered');
    }
    expect(flushes).toBeGreaterThanOrEqual(3);
    expect(talk.refusals()).toEqual([]);
    expect((await talk.agent.map()).summary.text).not.toMatch(/500|server_error/);
  });
});

describe('a turn that is stopped in mid-stream', () => {
  it('keeps what was shown, and the next turn works (C20)', async () => {
    talk = await startTalk({ reply: script(tells(LONG, { fault: { kind: 'silence', after: SHOWN } })) });
    const stop = new AbortController();
    talk.kernel.bus.on('delta', () => stop.abort());
    const result = await talk.agent.send('Tell me.', { signal: stop.signal });
    expect(result.outcome).toBe('interrupted');
    expect(textsOf(await talk.log()).at(-1)).toMatch(/interrupted/);
    await isWellAgain();
    expect(talk.refusals()).toEqual([]);
  });

  it('keeps nothing when nothing was shown', async () => {
    const stop = new AbortController();
    const silent: DoubleReply = { ...asks('conversation_search'), fault: { kind: 'silence', after: 1 } };
    const later = script(silent);
    const reply = (request: unknown, n: number): DoubleReply => {
      if (n === 0) stop.abort();
      return later(request, n);
    };
    talk = await startTalk({ reply });
    const result = await talk.agent.send('Tell me.', { signal: stop.signal });
    expect(result.outcome).toBe('interrupted');
    expect(textsOf(await talk.log())).toEqual(['Tell me.']);
    await isWellAgain();
  });
});
