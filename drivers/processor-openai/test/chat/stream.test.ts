import type { ProcessorEvent, Reply } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { createAssembly, type Chunk } from '../../src/chat/stream.js';

type Fragment = NonNullable<
  NonNullable<NonNullable<NonNullable<Chunk['choices']>[number]['delta']>['tool_calls']>[number]
>;

const delta = (value: object): Chunk => ({ choices: [{ delta: value, finish_reason: null }] });
const tool = (...tool_calls: Fragment[]): Chunk => delta({ tool_calls });
const finish = (finish_reason: string): Chunk => ({ choices: [{ delta: {}, finish_reason }] });
const head = (name: string, args?: string) => ({ function: { name, arguments: args ?? '' } });
const rest = (args: string) => ({ function: { arguments: args } });

function run(...chunks: Chunk[]): { events: ProcessorEvent[]; reply: Reply | undefined } {
  let minted = 0;
  const assembly = createAssembly(() => `id${(minted += 1)}`);
  const events = chunks.flatMap((chunk) => assembly.push(chunk));
  return { events, reply: assembly.reply() };
}

function callsOf(...chunks: Chunk[]): string[] {
  const { reply } = run(...chunks, finish('tool_calls'));
  expect(reply?.brokenCalls).toBeUndefined();
  return (reply?.parts ?? []).flatMap((part) =>
    part.type === 'call' ? [`${part.name}${part.arguments}`] : [],
  );
}

describe('calls in a stream', () => {
  it('are told apart by index when a server does it right', () => {
    expect(
      callsOf(
        tool({ index: 0, id: 'a', ...head('f') }),
        tool({ index: 1, id: 'b', ...head('g') }),
        tool({ index: 0, ...rest('{"p":') }),
        tool({ index: 1, ...rest('{"q":2}') }),
        tool({ index: 0, ...rest('1}') }),
      ),
    ).toEqual(['f{"p":1}', 'g{"q":2}']);
  });

  it('stay two when all have index 0 (A24)', () => {
    const one = { index: 0, id: 'a', ...head('f', '{"p":1}') };
    const two = { index: 0, id: 'b', ...head('f', '{"p":2}') };
    expect(callsOf(tool(one), tool(two))).toEqual(['f{"p":1}', 'f{"p":2}']);
    expect(callsOf(tool(one, two))).toEqual(['f{"p":1}', 'f{"p":2}']);
  });

  it('stay two when all have index 0 and come in pieces (A24)', () => {
    expect(
      callsOf(
        tool({ index: 0, id: 'a', ...head('f') }),
        tool({ index: 0, ...rest('{"p":1}') }),
        tool({ index: 0, id: 'b', ...head('f') }),
        tool({ index: 0, ...rest('{"p":2}') }),
      ),
    ).toEqual(['f{"p":1}', 'f{"p":2}']);
  });

  it('stay two when they share index and id (A24)', () => {
    const one = { index: 0, id: '', ...head('f', '{"p":1}') };
    expect(callsOf(tool(one), tool({ ...one, ...head('f', '{"p":2}') }))).toEqual(['f{"p":1}', 'f{"p":2}']);
    expect(callsOf(tool({ ...one, id: 'x' }), tool({ ...one, id: 'x', ...head('g', '{}') }))).toEqual([
      'f{"p":1}',
      'g{}',
    ]);
  });

  it('stay two when only their ids differ (A24)', () => {
    expect(
      callsOf(tool({ index: 0, id: 'a', ...head('f') }), tool({ index: 0, id: 'b', ...head('f') })),
    ).toEqual(['f{}', 'f{}']);
  });

  it('begin at any index, without a phantom before them (A25)', () => {
    expect(callsOf(tool({ index: 1, id: 'a', ...head('f', '{}') }))).toEqual(['f{}']);
    const phantom = { index: 0, id: '', function: { name: '', arguments: '' } };
    const { events, reply } = run(
      tool(phantom),
      tool({ index: 1, id: 'a', ...head('f', '{}') }),
      finish('tool_calls'),
    );
    expect(reply?.parts).toHaveLength(1);
    expect(events[0]).toEqual({ type: 'call', slot: 0, name: 'f' });
  });

  it('need no index (A26)', () => {
    expect(
      callsOf(
        tool({ id: 'a', ...head('f') }),
        tool(rest('{"p":1}')),
        tool({ id: 'b', ...head('g') }),
        tool(rest('{"p":2}')),
      ),
    ).toEqual(['f{"p":1}', 'g{"p":2}']);
  });

  it('take an id that comes late (A26)', () => {
    expect(
      callsOf(
        tool({ index: 0, ...head('f') }),
        tool({ index: 0, id: 'a', ...rest('{"p":') }),
        tool({ index: 0, id: 'a', ...rest('1}') }),
        tool({ index: 1, ...head('g') }),
        tool({ index: 1, id: 'b', ...rest('{}') }),
      ),
    ).toEqual(['f{"p":1}', 'g{}']);
  });

  it('may repeat id and name in every piece', () => {
    expect(
      callsOf(
        tool({ index: 0, id: 'a', ...head('f', '') }),
        tool({ index: 0, id: 'a', ...head('f', '{"p"') }),
        tool({ index: 0, id: 'a', ...head('f', ':1}') }),
      ),
    ).toEqual(['f{"p":1}']);
  });

  it('may have their name after their id', () => {
    const { events } = run(
      tool({ index: 0, id: 'a' }),
      tool({ index: 0, ...head('f', '{}') }),
      finish('tool_calls'),
    );
    expect(events.map(({ type }) => type)).toEqual(['call', 'arguments', 'finish'].slice(0, 2));
    expect(callsOf(tool({ index: 0, id: 'a' }), tool({ index: 0, ...head('f', '{}') }))).toEqual(['f{}']);
  });

  it('get ids of ours, whatever the server says (A18 A19)', () => {
    const { reply } = run(
      tool({ index: 0, id: '', ...head('f') }, { index: 1, id: '', ...head('f') }),
      finish('tool_calls'),
    );
    expect(reply?.parts.map((part) => part.type === 'call' && part.callId)).toEqual(['id1', 'id2']);
  });

  it('without arguments have none (A27)', () => {
    expect(callsOf(tool({ index: 0, id: 'a', ...head('f') }))).toEqual(['f{}']);
    expect(callsOf(tool({ index: 0, id: 'a', function: { name: 'f' } }))).toEqual(['f{}']);
  });

  it('keep every digit (A28)', () => {
    expect(callsOf(tool({ index: 0, id: 'a', ...head('f', '{"id":2512292042121000001}') }))).toEqual([
      'f{"id":2512292042121000001}',
    ]);
  });

  it('are announced once, and their pieces add up to what they are', () => {
    const { events } = run(
      tool({ index: 0, id: 'a', ...head('f', '{"p"') }),
      tool({ index: 0, ...rest(':1}') }),
    );
    expect(events).toEqual([
      { type: 'call', slot: 0, name: 'f' },
      { type: 'arguments', slot: 0, delta: '{"p"' },
      { type: 'arguments', slot: 0, delta: ':1}' },
    ]);
  });
});

describe('calls that were cut', () => {
  const cut = tool({ index: 0, id: 'a', ...head('write', '{"path":"a"') });

  it('by the output limit are broken, with a stand-in (A22)', () => {
    const { reply } = run(
      tool({ index: 0, id: 'x', ...head('f', '{}') }),
      tool({ index: 1, id: 'a', ...head('write', '{"p') }),
      finish('length'),
    );
    expect(reply?.reason).toBe('length');
    expect(reply?.parts).toHaveLength(1);
    expect(reply?.brokenCalls?.[0]?.call).toMatchObject({ name: 'write', arguments: '{}' });
    expect(reply?.brokenCalls?.[0]?.problem).toMatch(/cut off by the output limit/);
  });

  it('before their first argument are broken too, and not calls without arguments (A22 A27)', () => {
    expect(
      run(tool({ index: 0, id: 'a', ...head('write') }), finish('length')).reply?.brokenCalls,
    ).toHaveLength(1);
  });

  it('are found although the server says that all is well (A23)', () => {
    const { reply } = run(cut, finish('tool_calls'));
    expect(reply).toMatchObject({ reason: 'calls', parts: [] });
    expect(reply?.brokenCalls?.[0]?.problem).toMatch(/not valid JSON/);
  });

  it.each(['[1]', '"x"', 'null', '3'])('or are no object: %s', (args) => {
    const { reply } = run(tool({ index: 0, id: 'a', ...head('f', args) }), finish('tool_calls'));
    expect(reply?.brokenCalls?.[0]?.problem).toMatch(/not a JSON object/);
  });
});

describe('the reply', () => {
  it('holds text and thinking, and nothing empty (A09)', () => {
    const { reply, events } = run(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'hm' }),
      delta({ content: 'Hel' }),
      delta({ content: 'lo' }),
      finish('stop'),
    );
    expect(reply?.parts).toEqual([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Hello' },
    ]);
    expect(events).toHaveLength(3);
    expect(run(delta({ content: '' }), finish('stop')).reply).toMatchObject({ parts: [], reason: 'stop' });
  });

  it('is a refusal when the model or a filter declines (A30)', () => {
    expect(run(delta({ refusal: 'I cannot.' }), finish('stop')).reply).toMatchObject({
      reason: 'refused',
      parts: [{ type: 'text', text: 'I cannot.' }],
    });
    expect(run(finish('content_filter')).reply).toMatchObject({ reason: 'refused', parts: [] });
  });

  it('goes by what came and not by what the server calls it', () => {
    expect(run(tool({ index: 0, id: 'a', ...head('f', '{}') }), finish('stop')).reply?.reason).toBe('calls');
    expect(run(delta({ content: 'x' }), finish('tool_calls')).reply?.reason).toBe('stop');
  });

  it('is none when the stream never said why it ended (C14)', () => {
    expect(run(delta({ content: 'half an ans' })).reply).toBeUndefined();
  });

  it('survives chunks without choices, delta or content', () => {
    const odd = [
      {},
      { choices: [] },
      { choices: null },
      { choices: [{}] },
      delta({ content: ['x'] }),
    ] as Chunk[];
    expect(run(...odd, delta({ content: 'ok' }), finish('stop')).reply?.parts).toEqual([
      { type: 'text', text: 'ok' },
    ]);
  });

  it('counts cached tokens once (A36)', () => {
    const usage = {
      prompt_tokens: 38_000,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 37_888 },
    };
    const { reply } = run(finish('stop'), { choices: [], usage });
    expect(reply?.usage).toEqual({ plain: 112, cached: 37_888, written: 0, output: 7 });
  });

  it.each([[undefined], [null], [{}], [{ prompt_tokens: null }], ['many']])(
    'reads usage %j as unknown',
    (usage) => {
      const { reply } = run(finish('stop'), { choices: [], usage });
      expect(reply?.usage).toEqual({ plain: 0, cached: 0, written: 0, output: 0 });
    },
  );
});
