import type { ProcessorEvent, Reply } from '@pagefault/contracts';
import { startOpenAIDouble } from '@pagefault/doubles';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssembly } from '../../src/chat/stream.js';
import { createOpenAIProcessor } from '../../src/index.js';
import { lookTool } from '@pagefault/conformance';
import { hello, replyOf } from '../helpers.js';

const OFFERED = new Set(['look', 'send_message']);

function hear(text: string, { pieces = [text], finish = 'stop', offered = OFFERED } = {}) {
  const assembly = createAssembly(() => 'id', offered);
  const events: ProcessorEvent[] = pieces.flatMap((content) =>
    assembly.push({ choices: [{ delta: { content } }] }),
  );
  const early = textOf(events);
  events.push(...assembly.push({ choices: [{ delta: {}, finish_reason: finish }] }), ...assembly.end());
  return { early, events, reply: assembly.reply() as Reply };
}

function textOf(events: readonly ProcessorEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}

/** `name{arguments}` of calls, and the text as it is. */
function partsOf({ parts }: Reply): string[] {
  return parts.map((part) =>
    part.type === 'call' ? part.name + part.arguments : 'text' in part ? part.text : '?',
  );
}

const said = (text: string, finish = 'stop') => partsOf(hear(text, { finish }).reply);

describe('a call that is spelled out in the text', () => {
  it.each([
    ['bare', '{"name": "look", "arguments": {"q": 1}}'],
    ['with `parameters`, as Llama has it', '{"name": "look", "parameters": {"q": 1}}'],
    ['as on the wire', '{"type": "function", "function": {"name": "look", "arguments": "{\\"q\\": 1}"}}'],
    ['with the name under `function`', '{"function": "look", "arguments": {"q": 1}}'],
    ['in a fence', '```json\n{"name": "look", "arguments": {"q": 1}}\n```'],
    ['in tags', '<tool_call>\n{"name": "look", "arguments": {"q": 1}}\n</tool_call>'],
    ['in a tag that is never closed', '<tool_call>{"name": "look", "arguments": {"q": 1}}'],
    ['in a list behind a mark', '[TOOL_CALLS][{"name": "look", "arguments": {"q": 1}}]'],
    ['behind a tag of Llama', '<|python_tag|>{"name": "look", "arguments": {"q": 1}}'],
    ['without its last bracket', '{"name": "look", "arguments": {"q": 1}'],
  ])('is read: %s', (_title, text) => {
    expect(said(text)).toEqual(['look{"q": 1}']);
    expect(hear(text).reply.reason).toBe('calls');
  });

  it('is read behind prose, which is shown at once', () => {
    const { early, reply } = hear('Let me see.\n<tool_call>{"name":"look","arguments":{}}</tool_call>');
    expect(early).toBe('Let me see.\n');
    expect(partsOf(reply)).toEqual(['Let me see.\n', 'look{}']);
  });

  it('may be one of several', () => {
    const [one, two] = ['{"name":"look","arguments":{"q":1}}', '{"name":"send_message","arguments":{}}'];
    const both = ['look{"q":1}', 'send_message{}'];
    expect(said(`${one}\n${two}`)).toEqual(both);
    expect(said(`[${one}, ${two}]`)).toEqual(both);
    expect(said(`<tool_call>${one}</tool_call>\n<tool_call>${two}</tool_call>`)).toEqual(both);
  });

  it('keeps every digit of its numbers', () => {
    expect(said('{"name":"look","arguments":{"n":12345678901234567890.10}}')).toEqual([
      'look{"n":12345678901234567890.10}',
    ]);
  });

  it('needs no arguments', () => {
    expect(said('{"name": "look"}')).toEqual(['look{}']);
  });

  it('never runs when the output limit cut it off; the model is told (A22)', () => {
    const { reply } = hear('{"name":"send_message","arguments":{"message":"Hel', { finish: 'length' });
    expect(reply.parts).toEqual([]);
    expect(reply.brokenCalls).toMatchObject([
      { call: { name: 'send_message', arguments: '{}' }, problem: expect.stringContaining('cut off') },
    ]);
  });

  it('keeps what is said after it', () => {
    expect(said('{"name":"look","arguments":{}}\nI will look.')).toEqual(['I will look.', 'look{}']);
  });
});

describe('what is no call stays text, every character of it', () => {
  it.each([
    'Hello.',
    '{"name": "format_disk", "arguments": {}}',
    '{"answer": 42}',
    '[1, 2, 3]',
    '```ts\nlook();\n```',
    'A list: {"name": "look"}',
    '<tool_call>look</tool_call>',
    'if a < b and <b',
    '{"name": "look", "arguments": {}} [1]{',
    '   ',
    '{',
  ])('%s', (text) => {
    const { events, reply } = hear(text);
    expect(textOf(events)).toBe(text);
    expect(partsOf(reply).join('')).toBe(text);
  });

  it('whatever is written and wherever it is cut: deltas make the whole, and nothing is lost', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '"',
      '<tool_call>',
      '</tool_call>',
      '```',
      '[',
      ']',
      ':',
      ',',
      '\\',
      ' ',
    );
    const text = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 12 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.nat(), (whole, cut) => {
        const at = whole.length === 0 ? 0 : cut % whole.length;
        const pieces = [whole.slice(0, at), whole.slice(at)];
        const { events, reply } = hear(whole, { pieces });
        expect(textOf(events)).toBe(whole);
        expect(reply.parts.some(({ type }) => type === 'call')).toBe(false);
      }),
    );
  });

  it('a call, wherever it is cut, is the same call', () => {
    const whole = 'Well, \n<tool_call>\n{"name": "look", "arguments": {"q": "<b>"}}\n</tool_call>';
    for (let at = 0; at <= whole.length; at++)
      expect(partsOf(hear(whole, { pieces: [whole.slice(0, at), whole.slice(at)] }).reply)).toEqual([
        'Well, \n',
        'look{"q": "<b>"}',
      ]);
  });

  it('prose is shown as it comes', () => {
    const early: string[] = [];
    const assembly = createAssembly(() => 'id', OFFERED);
    for (const content of ['I ', 'see <', 'b> ', '{x}'])
      early.push(textOf(assembly.push({ choices: [{ delta: { content } }] })));
    expect(early).toEqual(['I ', 'see ', '<b> ', '{x}']);
  });

  it('beside calls that the server read, text is text', () => {
    const assembly = createAssembly(() => 'id', OFFERED);
    const spelled = '{"name":"look","arguments":{}}';
    const call = { index: 0, function: { name: 'send_message', arguments: '{}' } };
    assembly.push({ choices: [{ delta: { content: spelled } }] });
    assembly.push({ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] });
    assembly.end();
    expect(partsOf(assembly.reply() as Reply)).toEqual([spelled, 'send_message{}']);
  });
});

describe('the option `callsInText`', () => {
  async function ask(options: object) {
    const double = await startOpenAIDouble({ reply: () => ({ text: '{"name":"look","arguments":{}}' }) });
    const processor = createOpenAIProcessor({ model: 'small', baseURL: double.baseURL, ...options });
    await processor.open();
    try {
      return await replyOf(processor.infer({ ...hello, tools: [lookTool] }));
    } finally {
      await processor.close();
      await double.close();
    }
  }

  it('is on with a server of your own, and may be switched off', async () => {
    expect(partsOf(await ask({}))).toEqual(['look{}']);
    expect(partsOf(await ask({ callsInText: false }))).toEqual(['{"name":"look","arguments":{}}']);
  });
});
