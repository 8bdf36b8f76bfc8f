import type { CallPart, Reply } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { findDialect } from '../../src/core/dialect/registry.js';
import type { LayoutName } from '../../src/core/layout/registry.js';
import { changesBetween, differencesFrom } from '../support/golden.js';
import { Harness } from '../support/harness.js';
import { reply, says } from '../support/replies.js';

const TOOLS = findDialect('memgpt').tools([
  {
    name: 'send_message',
    description: 'Says something to the user.',
    parameters: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
  {
    name: 'core_memory_append',
    description: 'Adds a line to a block.',
    parameters: { type: 'object', properties: { name: { type: 'string' }, content: { type: 'string' } } },
  },
]);

function made(callId: string, name: string, args: object): CallPart {
  return { type: 'call', callId, name, arguments: JSON.stringify(args) };
}

const thinking = { type: 'thinking', text: 'Alpacas; worth a line.' } as const;
const edit = made('c1', 'core_memory_append', {
  name: 'human',
  content: 'Breeds alpacas.',
  request_heartbeat: true,
});

const REPLIES: readonly Reply[] = [
  reply([thinking, edit, made('c2', 'weather', { town: 'Cork', request_heartbeat: true })], 'calls'),
  reply([made('c3', 'send_message', { message: 'Noted: alpacas. It rains in Cork.' })], 'calls'),
];

/** A life of three turns up to a flush, with an edit by the model, one from outside, thinking, calls and a long text. */
function life(layout: LayoutName): Harness {
  const harness = new Harness({
    layout,
    window: 1_600,
    maxOutput: 300,
    instructions: 'You remember.',
    tools: TOOLS,
    blocks: [
      { name: 'persona', value: 'I am kind.', limit: 200, version: 1, readOnly: true },
      { name: 'human', value: 'Name: Ada', limit: 200, version: 1, readOnly: false },
    ],
    reply: (_, n) => REPLIES[n] ?? says(`Answer ${n}. 🦙`),
    tool: () => ({ text: '12 °C, rain' }),
    summarise: () => 'Ada breeds alpacas in Cork.',
  });
  harness.send('I breed alpacas. How is the weather in Cork?');
  harness.edit('human', 'Name: Ada Byron\nBreeds alpacas.');
  harness.send(`Read this.\n${'All work and no play. '.repeat(60)}`.trim());
  return harness;
}

describe.each(['stable', 'classic'] as const)('the bytes under `%s`', (layout) => {
  it('before and after a flush are those of the golden files', () => {
    const harness = life(layout);
    let before = harness.requests.at(-1)?.request;
    while (harness.observed('flush-finished').length === 0) {
      before = harness.requests.at(-1)?.request;
      harness.send(`And this.\n${'Never a dull moment. '.repeat(40)}`.trim());
    }
    const after = harness.requests.at(-1)?.request;
    if (!before || !after) throw new Error('nothing was sent');
    expect(differencesFrom(`${layout}-before`, before)).toEqual([]);
    expect(differencesFrom(`${layout}-after`, after)).toEqual([]);
  });
});

describe('a difference from a golden file', () => {
  it('is named: what, where, and how', () => {
    const golden = life('stable').requests.at(-1)?.request;
    if (!golden) throw new Error('nothing was sent');
    const [first, ...rest] = golden.messages;
    if (!first) throw new Error('nothing was sent');
    const now = {
      ...golden,
      system: 'You recall.',
      messages: [first, { ...first, id: 'new' }, ...rest.slice(1), first],
      breakpoints: [0],
    };
    expect(changesBetween(golden, golden)).toEqual([]);
    expect(changesBetween(golden, now).map((line) => line.replace(/: .*/, ''))).toEqual([
      'system differs from character 6 on',
      'messages[1] differs from character 7 on',
      'breakpoints differs from character 2 on',
      `messages[${golden.messages.length}] is new`,
    ]);
    expect(changesBetween(golden, now)[0]).toContain('"member." became "call."');
  });
});
