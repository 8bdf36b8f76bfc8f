import type { CallPart, Part } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { findDialect } from '../../src/core/dialect/registry.js';
import { defaultProgram, MEMGPT_PROGRAM, NATIVE_PROGRAM, programIn } from '../../src/program.js';
import { Harness, type HarnessOptions } from '../support/harness.js';
import { call, calls, nothing, reply, says, tells } from '../support/replies.js';

type Said = ReturnType<typeof says>;

function talk(replies: readonly Said[], options: HarnessOptions = {}): Harness {
  return new Harness({ dialect: 'native', ...options, reply: (_, n) => replies[n] ?? says('too late') });
}

function saysAndCalls(text: string, ...made: readonly CallPart[]): Said {
  const parts: Part[] = [{ type: 'text', text }, ...made];
  return reply(parts, 'calls');
}

const tool = (name: string) => ({ name, description: name, parameters: { type: 'object', properties: {} } });

describe('the dialect `native`', () => {
  it('takes plain text as the answer', () => {
    expect(talk([says('Hello.')]).send('hi')).toMatchObject({
      outcome: 'answered',
      text: 'Hello.',
      cycles: 1,
    });
  });

  it('runs again after a call, without a flag (C25)', () => {
    const harness = talk([calls(call('read')), says('Found.')]);
    expect(harness.send('hi')).toMatchObject({ outcome: 'answered', text: 'Found.', cycles: 2 });
  });

  it('offers no function to speak with, and asks for no flag', () => {
    const [native, memgpt] = [findDialect('native'), findDialect('memgpt')];
    const all = [tool('send_message'), tool('read')];
    expect(native.tools(all)).toEqual([tool('read')]);
    expect(memgpt.tools(all).map(({ name }) => name)).toEqual(['send_message', 'read']);
    expect(JSON.stringify(memgpt.tools(all))).toContain('request_heartbeat');
  });

  it('makes text beside calls part of the answer', () => {
    const harness = talk([
      saysAndCalls('Let me see. \n', call('read')),
      saysAndCalls(' ', call('read', { n: 2 })),
      says('There.'),
    ]);
    expect(harness.send('hi')).toMatchObject({
      outcome: 'answered',
      text: 'Let me see.\n\nThere.',
      cycles: 3,
    });
    expect(
      talk([saysAndCalls('hm', call('read')), says('There.')], { dialect: 'memgpt' }).send('hi').text,
    ).toBe('There.');
  });

  it('keeps text beside calls over a crash', () => {
    const harness = talk([saysAndCalls('Let me see.', call('read')), says('There.')]);
    harness.stopBefore = 'call';
    harness.drive(harness.interrupt('hi'));
    harness.stopBefore = undefined;
    expect(harness.reload()).toMatchObject({ outcome: 'answered', text: 'Let me see.\n\nThere.' });
  });

  it('lets a model speak by the function all the same, as its history may teach it', () => {
    expect(talk([tells('Hello.')]).send('hi')).toMatchObject({
      outcome: 'answered',
      text: 'Hello.',
      cycles: 1,
    });
  });
});

describe.each(['memgpt', 'native'] as const)('under %s', (dialect) => {
  const truncated = (parts: readonly Part[]) => reply(parts, 'length');
  const cases: readonly [string, readonly Said[], object][] = [
    [
      'an empty reply is asked for once more',
      [nothing(), says('ok')],
      { outcome: 'answered', text: 'ok', cycles: 2 },
    ],
    ['two empty replies yield', [nothing(), nothing()], { outcome: 'yielded', text: '', cycles: 2 }],
    [
      'thinking alone is an empty reply (A21)',
      [reply([{ type: 'thinking', text: 'hm' }]), says('ok')],
      { text: 'ok' },
    ],
    ['a cut answer is kept and named', [says('half', 'length')], { outcome: 'truncated', text: 'half' }],
    ['a cut reply without text is named', [nothing('length')], { outcome: 'truncated', text: '' }],
    ['a refusal is named', [says('I will not.', 'refused')], { outcome: 'refused', text: 'I will not.' }],
    ['a refusal without a word is named', [nothing('refused')], { outcome: 'refused', text: '' }],
    [
      'a failed call is answered for',
      [calls(call('fails')), says('sorry')],
      { outcome: 'answered', text: 'sorry', cycles: 2 },
    ],
    [
      'an endless chain meets its cap',
      Array.from({ length: 9 }, (_, n) => calls(call('read', { n, request_heartbeat: true }))),
      { outcome: 'cycle-cap', cycles: 5 },
    ],
    [
      'the same call with the same result is stopped',
      Array.from({ length: 9 }, () => calls(call('read', { request_heartbeat: true }))),
      { outcome: 'repeating', cycles: 3 },
    ],
    [
      'calls that are cut again and again are stopped (A22)',
      Array.from({ length: 9 }, (_, n) => truncated([call('read', { n, request_heartbeat: true })])),
      { outcome: 'truncated', cycles: 3 },
    ],
  ];

  it.each(cases)('%s', (_, replies, result) => {
    const tool = ({ name }: { readonly name: string }) => ({ text: 'done', isError: name === 'fails' });
    const harness = talk(replies, { dialect, tool, limits: { maxCycles: 5 } });
    expect(harness.send('hi')).toMatchObject(result);
  });

  it.each([
    ['E_ABORTED', 'interrupted'],
    ['E_REFUSED', 'refused'],
    ['E_OVERLOADED', 'failed'],
  ] as const)('what was shown before %s is kept, and marked as unfinished (C14, C20)', (code, outcome) => {
    const failure = { code, message: 'made to fail' };
    const harness = new Harness({ dialect, reply: () => ({ failure, partial: 'Half of' }) });
    expect(harness.send('hi').outcome).toBe(outcome);
    expect(harness.store.log.map(({ message }) => message.notice)).toEqual([
      undefined,
      undefined,
      'interrupted',
    ]);
  });

  it('an empty result has a body, and nothing empty is stored (A10)', () => {
    const made = [saysAndCalls(' \n', call('read', { request_heartbeat: true })), says('ok')];
    const harness = talk(made, { dialect, tool: () => ({ text: '' }) });
    harness.send('hi');
    expect(harness.store.message(2).parts).toHaveLength(1);
    expect(harness.store.message(3).parts[0]).toMatchObject({ text: '(no output)' });
  });
});

describe('default programs', () => {
  it('are short, and speak of their own dialect only', () => {
    expect(defaultProgram('native')).toBe(NATIVE_PROGRAM);
    expect(defaultProgram('memgpt')).toBe(MEMGPT_PROGRAM);
    expect(NATIVE_PROGRAM).not.toMatch(/send_message|heartbeat|monologue/);
    for (const program of [NATIVE_PROGRAM, MEMGPT_PROGRAM]) expect(program.length).toBeLessThan(2_000);
  });

  it("follow the dialect that a process runs in now; a program of one's own stays", () => {
    expect(programIn('native', MEMGPT_PROGRAM)).toBe(NATIVE_PROGRAM);
    expect(programIn('memgpt', NATIVE_PROGRAM)).toBe(MEMGPT_PROGRAM);
    expect(programIn('native', 'Be brief.')).toBe('Be brief.');
  });

  it('names the known dialects when it does not know one', () => {
    expect(() => findDialect('natve')).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', hint: 'known dialects: memgpt, native' }),
    );
  });
});
