import type { InferRequest, Message } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { foldIntoUsers } from '../../src/core/layout/fold.js';
import { findLayout } from '../../src/core/layout/registry.js';
import { startProcesses, ask, FEW_SYSCALLS, hasResults, tell } from '../support/stack.js';

const startProcess = startProcesses();
const options = { layout: 'user-last', syscalls: FEW_SYSCALLS } as const;

let made = 0;
function said(role: Message['role'], text: string, notice?: Message['notice']): Message {
  const id = `t${made++}`;
  return { id, role, at: 0, parts: [{ type: 'text', text }], ...(notice && { notice }) };
}

function textsOf({ parts }: Message): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []));
}

/** Who says what, in order. */
function rolesAndTexts(queue: readonly Message[], tail = 'tail') {
  return foldIntoUsers(queue, tail)?.messages.map((message) => [message.role, ...textsOf(message)]);
}

describe('the layout `user-last`', () => {
  it('ends a request with what is to be answered, which the tail opens', async () => {
    const requests: InferRequest[] = [];
    const { process } = await startProcess({
      ...options,
      replies: (request) => {
        requests.push(request);
        return hasResults(request) ? tell('done') : ask('conversation_search', { query: 'wool' });
      },
    });
    await process.send('Look for wool.');
    const queues = requests.map(({ messages }) => messages.filter(({ id }) => id !== 'blocks'));
    expect(queues.map((messages) => messages.map(({ role }) => role))).toEqual([
      ['user'],
      ['user', 'assistant', 'tool'],
    ]);
    for (const [first] of queues)
      expect(first && textsOf(first)).toEqual([expect.stringMatching(/^\[Memory: /), 'Look for wool.']);
  });

  it('lets nobody but the user, the model and its tools speak behind the lead, also under pressure', async () => {
    const roles = new Set<string>();
    const notices: string[] = [];
    const { process } = await startProcess({
      ...options,
      window: 4_096,
      replies: ({ messages }) => {
        const queue = messages.filter(({ id }) => id !== 'blocks' && id !== 'summary');
        for (const message of queue) roles.add(message.role);
        notices.push(...queue.flatMap(textsOf).filter((text) => text.startsWith('[Memory pressure')));
        return tell('word '.repeat(60));
      },
    });
    for (let turn = 0; turn < 12; turn++) await process.send(`message ${turn} ${'wool '.repeat(60)}`);
    expect((await process.map()).counters.warnings).toBeGreaterThan(0);
    expect([...roles].toSorted()).toEqual(['assistant', 'tool', 'user']);
    expect(notices.length).toBeGreaterThan(0);
  });

  it('says a notice with the message before it, or else with the next one', () => {
    const queue = [
      said('user', 'one'),
      said('system', 'warning', 'pressure'),
      said('assistant', 'first'),
      said('system', 'cut', 'truncated'),
      said('user', 'two'),
    ];
    expect(rolesAndTexts(queue)).toEqual([
      ['user', 'warning', 'one'],
      ['assistant', 'first'],
      ['user', 'cut', 'tail', 'two'],
    ]);
  });

  it('loses no notice that nobody speaks after', () => {
    const queue = [said('user', 'one'), said('assistant', 'first'), said('system', 'changed', 'block-edit')];
    expect(rolesAndTexts(queue)).toEqual([
      ['user', 'changed', 'tail', 'one'],
      ['assistant', 'first'],
    ]);
  });

  it('has a timer and the system answered like a user', () => {
    const queue = [said('user', 'one'), said('assistant', 'first'), said('system', '[Timer]\nnow')];
    expect(rolesAndTexts(queue)?.at(-1)).toEqual(['user', 'tail', '[Timer]\nnow']);
  });

  it('has nothing to fold into when no user has spoken', () => {
    expect(foldIntoUsers([said('assistant', 'first')], 'tail')).toBeUndefined();
  });

  it('leaves what has been said as it was when more is said', () => {
    const queue = [said('user', 'one'), said('system', 'warning', 'pressure'), said('assistant', 'first')];
    const before = foldIntoUsers([...queue, said('user', 'two')], 'tail 1');
    const after = foldIntoUsers(
      [...queue, said('user', 'two'), said('assistant', 'second'), said('user', 'three')],
      'tail 2',
    );
    expect(after?.messages.slice(0, before?.lastUser).map(textsOf)).toEqual(
      before?.messages.slice(0, before.lastUser).map(textsOf),
    );
  });

  it('is `stable` in all else', () => {
    expect(findLayout('user-last')).toMatchObject({ rendersAtReclaim: true, endsWithUser: true });
  });
});
