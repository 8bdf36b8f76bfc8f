import type { ProcessorEvent, Reply } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { createAssembly, type ResponseEvent } from '../../src/responses/stream.js';

function run(...told: ResponseEvent[]): { events: ProcessorEvent[]; reply: Reply | undefined } {
  let minted = 0;
  const assembly = createAssembly('o3', () => `id${(minted += 1)}`);
  const events = told.flatMap((event) => {
    const brought = assembly.push(event);
    assembly.check();
    return brought;
  });
  return { events, reply: assembly.reply() };
}

const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (output_index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const args = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
});
const said = (output_index: number, delta: string) => ({
  type: 'response.output_text.delta',
  output_index,
  delta,
});
const call = (name: string, more: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c',
  name,
  ...more,
});
const completed = { type: 'response.completed', response: { usage: undefined } };
const cut = {
  type: 'response.incomplete',
  response: { incomplete_details: { reason: 'max_output_tokens' } },
};

describe('a streamed response', () => {
  it('gives parts in the order of the output, with ids of our own', () => {
    const { reply } = run(
      added(0, { type: 'reasoning', id: 'rs_1' }),
      done(0, {
        type: 'reasoning',
        id: 'rs_1',
        encrypted_content: 'e',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
      }),
      added(1, { type: 'message', content: [] }),
      said(1, 'Let me '),
      said(1, 'look.'),
      added(2, call('look')),
      args(2, '{"at":'),
      args(2, '1}'),
      completed,
    );
    const data = { api: 'responses', id: 'rs_1', encrypted: 'e', summary: ['Hm.'] };
    expect(reply?.parts).toEqual([
      { type: 'thinking', text: 'Hm.', opaque: { driver: 'processor-openai', model: 'o3', data } },
      { type: 'text', text: 'Let me look.' },
      { type: 'call', callId: 'id1', name: 'look', arguments: '{"at":1}' },
    ]);
    expect(reply?.reason).toBe('calls');
  });

  it('tells parallel calls apart that are streamed at once (A24)', () => {
    const { reply, events } = run(
      added(0, call('f')),
      added(1, call('g')),
      args(1, '{"q":2}'),
      args(0, '{"p":1}'),
      completed,
    );
    expect(reply?.parts).toMatchObject([
      { name: 'f', arguments: '{"p":1}' },
      { name: 'g', arguments: '{"q":2}' },
    ]);
    expect(events.filter(({ type }) => type === 'call')).toMatchObject([{ slot: 0 }, { slot: 1 }]);
  });

  it('takes from the whole item what no delta told, and tells it as one (A27)', () => {
    const { reply, events } = run(
      done(0, { type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }),
      added(1, call('f')),
      done(1, call('f', { arguments: '{"p":1}' })),
      added(2, call('g')),
      done(2, call('g', { arguments: '' })),
      completed,
    );
    expect(reply?.parts).toMatchObject([{ text: 'Hi.' }, { arguments: '{"p":1}' }, { arguments: '{}' }]);
    expect(events).toContainEqual({ type: 'text', delta: 'Hi.' });
    expect(events).toContainEqual({ type: 'arguments', slot: 0, delta: '{"p":1}' });
  });

  it('never runs a call that was cut off, even where what is left would parse (A22 A23)', () => {
    const { reply } = run(added(0, call('f')), args(0, '{"p":1'), cut);
    expect(reply?.reason).toBe('length');
    expect(reply?.parts).toEqual([]);
    expect(reply?.brokenCalls?.[0]).toMatchObject({
      call: { name: 'f' },
      problem: expect.stringMatching('cut off'),
    });
  });

  it('keeps digits (A28), and shows reasoning without encrypted content as text alone', () => {
    const { reply } = run(
      added(0, { type: 'reasoning', id: 'rs_1' }),
      { type: 'response.reasoning_text.delta', output_index: 0, delta: 'Hm.' },
      added(1, call('f')),
      args(1, '{"id":2512292042121000001}'),
      completed,
    );
    expect(reply?.parts).toEqual([
      { type: 'thinking', text: 'Hm.' },
      { type: 'call', callId: 'id1', name: 'f', arguments: '{"id":2512292042121000001}' },
    ]);
  });

  it('is refused by a refusal and by the filter (A30)', () => {
    const refusal = { type: 'response.refusal.delta', output_index: 0, delta: 'No.' };
    expect(run(added(0, { type: 'message', content: [] }), refusal, completed).reply).toMatchObject({
      reason: 'refused',
      parts: [{ text: 'No.' }],
    });
    const filtered = {
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'content_filter' } },
    };
    expect(run(filtered).reply).toMatchObject({ reason: 'refused', parts: [] });
  });

  it('counts what was cached once (A36)', () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      output_tokens: 7,
    };
    expect(run({ type: 'response.completed', response: { usage } }).reply?.usage).toEqual({
      plain: 30,
      cached: 60,
      written: 10,
      output: 7,
    });
  });

  it('is no reply before it is complete, and fails as the stream says (C13 C14)', () => {
    expect(run(added(0, { type: 'message' }), said(0, 'a')).reply).toBeUndefined();
    const failed = {
      type: 'response.failed',
      response: { error: { code: 'server_error', message: 'Oops' } },
    };
    expect(() => run(failed)).toThrow('Oops');
    expect(() => run({ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down' })).toThrow(
      'Slow down',
    );
  });

  it('passes over what it does not know', () => {
    const odd = [{}, { type: 'response.audio.delta' }, said(9, 'x'), added(0, {}), args(3, 'y')];
    expect(run(...odd, completed)).toMatchObject({ events: [], reply: { parts: [], reason: 'stop' } });
  });
});
