import type { ProcessorEvent, Reply } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../src/heard-blocks.js';
import { createAssembly } from '../src/stream.js';

const start = (index: unknown, content_block: object): ServerEvent => ({
  type: 'content_block_start',
  index,
  content_block: { ...content_block },
});
const delta = (index: unknown, value: object): ServerEvent => ({
  type: 'content_block_delta',
  index,
  delta: { ...value },
});
const stop = (stop_reason: string, usage?: object): ServerEvent => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage,
});
const says = (index: unknown, text: string) => delta(index, { type: 'text_delta', text });
const thinks = (index: unknown, thinking: string) => delta(index, { type: 'thinking_delta', thinking });
const signs = (index: unknown, signature: string) => delta(index, { type: 'signature_delta', signature });
const writes = (index: unknown, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json });
const calls = (index: unknown, name: string, more: object = {}) =>
  start(index, { type: 'tool_use', id: 'toolu_1', name, input: {}, ...more });

function run(...events: ServerEvent[]): { events: ProcessorEvent[]; reply: Reply | undefined } {
  let minted = 0;
  const assembly = createAssembly('claude-x', () => `id${(minted += 1)}`);
  const given = events.flatMap((event) => assembly.push(event));
  return { events: given, reply: assembly.reply() };
}

function callsOf(...events: ServerEvent[]): string[] {
  const { reply } = run(...events, stop('tool_use'));
  expect(reply?.brokenCalls).toBeUndefined();
  return (reply?.parts ?? []).flatMap((part) =>
    part.type === 'call' ? [`${part.name}${part.arguments}`] : [],
  );
}

describe('calls in a stream', () => {
  it('keep their pieces in order, announced once, and get ids of ours (A18 A19)', () => {
    const { events, reply } = run(
      calls(0, 'f'),
      writes(0, '{"p"'),
      writes(0, ':1}'),
      calls(1, 'f'),
      writes(1, '{}'),
      stop('tool_use'),
    );
    expect(events).toEqual([
      { type: 'call', slot: 0, name: 'f' },
      { type: 'arguments', slot: 0, delta: '{"p"' },
      { type: 'arguments', slot: 0, delta: ':1}' },
      { type: 'call', slot: 1, name: 'f' },
      { type: 'arguments', slot: 1, delta: '{}' },
    ]);
    expect(reply).toMatchObject({ reason: 'calls', parts: [{ callId: 'id1' }, { callId: 'id2' }] });
  });

  it('stay two when all have index 0, or none (A24 A26)', () => {
    for (const index of [0, undefined])
      expect(
        callsOf(calls(index, 'f'), writes(index, '{"p":1}'), calls(index, 'f'), writes(index, '{"p":2}')),
      ).toEqual(['f{"p":1}', 'f{"p":2}']);
  });

  it('are told apart by index when their pieces come in turns (A24)', () => {
    expect(
      callsOf(calls(3, 'f'), calls(7, 'g'), writes(3, '{"p":'), writes(7, '{"q":2}'), writes(3, '1}')),
    ).toEqual(['f{"p":1}', 'g{"q":2}']);
  });

  it('begin at any index, without a phantom before them (A25)', () => {
    const { events, reply } = run(calls(0, ''), calls(2, 'f'), writes(2, '{}'), stop('tool_use'));
    expect(reply?.parts).toHaveLength(1);
    expect(events[0]).toEqual({ type: 'call', slot: 0, name: 'f' });
  });

  it('take a piece with an index that nothing has (A24)', () => {
    expect(callsOf(calls(1, 'f'), writes(0, '{"p":1}'))).toEqual(['f{"p":1}']);
  });

  it('without arguments have none (A27)', () => {
    expect(callsOf(calls(0, 'f'))).toEqual(['f{}']);
    expect(callsOf(calls(0, 'f'), writes(0, ''))).toEqual(['f{}']);
  });

  it('keep every digit (A28)', () => {
    expect(callsOf(calls(0, 'f'), writes(0, '{"id":2512292042121000001}'))).toEqual([
      'f{"id":2512292042121000001}',
    ]);
  });

  it('may come whole at their beginning, as some gateways send them, and are not doubled by what follows', () => {
    const { events } = run(calls(0, 'f', { input: { p: 1 } }), writes(0, '{"p":1}'));
    expect(events).toEqual([
      { type: 'call', slot: 0, name: 'f' },
      { type: 'arguments', slot: 0, delta: '{"p":1}' },
    ]);
    expect(callsOf(calls(0, 'f', { input: { p: 1 } }), writes(0, '{"p":1}'))).toEqual(['f{"p":1}']);
  });
});

describe('calls that were cut', () => {
  it.each(['max_tokens', 'model_context_window_exceeded'])(
    'by %s are broken, with a stand-in (A22)',
    (reason) => {
      const { reply } = run(
        calls(0, 'f'),
        writes(0, '{}'),
        calls(1, 'write'),
        writes(1, '{"p'),
        stop(reason),
      );
      expect(reply).toMatchObject({ reason: 'length', parts: [{ name: 'f' }] });
      expect(reply?.brokenCalls?.[0]).toMatchObject({
        call: { name: 'write', arguments: '{}' },
        problem: expect.stringMatching('cut off by the output limit'),
      });
    },
  );

  it('before their first argument are broken too, and those before them are not (A22 A27)', () => {
    expect(run(calls(0, 'f'), calls(1, 'write'), stop('max_tokens')).reply).toMatchObject({
      parts: [{ name: 'f' }],
      brokenCalls: [{ call: { name: 'write' } }],
    });
    expect(run(calls(0, 'f'), says(1, 'and'), stop('max_tokens')).reply?.brokenCalls).toBeUndefined();
  });

  it.each(['{"path":"a"', '[1]', '"x"'])(
    'are found although the server says that all is well: %s (A23)',
    (args) => {
      const { reply } = run(calls(0, 'f'), writes(0, args), stop('tool_use'));
      expect(reply).toMatchObject({ reason: 'calls', parts: [] });
      expect(reply?.brokenCalls).toHaveLength(1);
    },
  );
});

describe('the reply', () => {
  it('keeps thinking with its signature byte for byte, hidden thinking, and the order (A13)', () => {
    const { reply, events } = run(
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      thinks(0, 'h'),
      thinks(0, 'm \ud83e\udd14'),
      signs(0, 'Eq+/='),
      start(1, { type: 'redacted_thinking', data: 'secret' }),
      start(2, { type: 'text', text: '' }),
      says(2, 'Hi'),
      start(3, { type: 'thinking', thinking: '', signature: '' }),
      signs(3, 'omitted'),
      calls(4, 'f'),
      stop('tool_use'),
    );
    const opaque = (data: object) => ({ driver: 'processor-anthropic', model: 'claude-x', data });
    expect(reply?.parts).toEqual([
      { type: 'thinking', text: 'hm \ud83e\udd14', opaque: opaque({ signature: 'Eq+/=' }) },
      { type: 'thinking', text: '', opaque: opaque({ redacted: 'secret' }) },
      { type: 'text', text: 'Hi' },
      { type: 'thinking', text: '', opaque: opaque({ signature: 'omitted' }) },
      { type: 'call', callId: 'id1', name: 'f', arguments: '{}' },
    ]);
    expect(events.filter(({ type }) => type === 'thinking')).toHaveLength(2);
  });

  it.each(['a\0b', 'a\ud800'])('nor thinking that no store takes as it is: %j', (thinking) => {
    const { reply } = run(
      start(0, { type: 'thinking' }),
      thinks(0, thinking),
      signs(0, 's'),
      stop('end_turn'),
    );
    expect(reply?.parts[0]).not.toHaveProperty('opaque');
  });

  it('cannot send back thinking that came without a signature', () => {
    const { reply } = run(thinks(0, 'hm'), says(1, 'x'), stop('end_turn'));
    expect(reply?.parts[0]).toEqual({ type: 'thinking', text: 'hm' });
  });

  it('holds nothing empty (A09)', () => {
    expect(
      run(
        start(0, { type: 'text', text: '' }),
        says(0, ''),
        start(1, { type: 'thinking', thinking: '' }),
        stop('end_turn'),
      ).reply,
    ).toMatchObject({ parts: [], reason: 'stop' });
  });

  it('is a refusal when the model declines, and does nothing of what it was about to do (A30)', () => {
    expect(run(says(0, 'I can'), calls(1, 'f'), writes(1, '{'), stop('refusal')).reply).toMatchObject({
      reason: 'refused',
      parts: [{ type: 'text', text: 'I can' }],
    });
    expect(run(calls(0, 'f'), stop('refusal')).reply).toEqual({
      reason: 'refused',
      parts: [],
      usage: expect.anything(),
    });
  });

  it('goes by what came and not by what the server calls it', () => {
    expect(run(calls(0, 'f'), stop('end_turn')).reply?.reason).toBe('calls');
    for (const reason of ['tool_use', 'stop_sequence', 'pause_turn', 'something new'])
      expect(run(says(0, 'x'), stop(reason)).reply?.reason).toBe('stop');
  });

  it('is none when the stream never said why it ended (C14)', () => {
    expect(run(says(0, 'half an ans')).reply).toBeUndefined();
    expect(run(says(0, 'half an ans'), { type: 'message_stop' }).reply).toBeUndefined();
  });

  it('is an error when the server reports one among the events (C13)', () => {
    expect(() => run({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })).toThrow(
      'Overloaded',
    );
  });

  it('survives events that are nothing, and blocks of kinds that it does not know', () => {
    const odd = [
      {},
      { type: 'ping' },
      { type: 'content_block_delta' },
      { type: 'message_start', message: null },
      { type: 'content_block_start' },
      delta(0, { type: 'citations_delta' }),
      writes(0, '{}'),
      start(0, { type: 'server_tool_use', name: 'x' }),
    ] as ServerEvent[];
    expect(
      run(...odd, start(1, { type: 'text', text: 'o' }), says(1, 'k'), stop('end_turn')).reply?.parts,
    ).toEqual([{ type: 'text', text: 'ok' }]);
  });
});

describe('usage', () => {
  const begun = (usage: unknown): ServerEvent => ({ type: 'message_start', message: { usage } });

  it('counts what was read from the cache and written to it besides the input, each once (A36)', () => {
    const first = {
      input_tokens: 112,
      cache_read_input_tokens: 37_888,
      cache_creation_input_tokens: 500,
      output_tokens: 1,
    };
    expect(run(begun(first), stop('end_turn', { output_tokens: 7 })).reply?.usage).toEqual({
      plain: 112,
      cached: 37_888,
      written: 500,
      output: 7,
    });
  });

  it('takes the later event where it says more', () => {
    expect(
      run(
        begun({ input_tokens: 1, output_tokens: 1 }),
        stop('end_turn', { input_tokens: 9, output_tokens: 3 }),
      ).reply?.usage,
    ).toEqual({ plain: 9, cached: 0, written: 0, output: 3 });
  });

  it.each([[undefined], [null], [{}], [{ input_tokens: null }], ['many']])('reads %j as unknown', (usage) => {
    expect(run(begun(usage), stop('end_turn')).reply?.usage).toEqual({
      plain: 0,
      cached: 0,
      written: 0,
      output: 0,
    });
  });
});
