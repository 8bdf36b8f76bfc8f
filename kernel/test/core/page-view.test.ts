/** What policies are told of pages beside their size. */
import type { Message, PageKind, PageView, Part, Reference } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { residentViews } from '../../src/core/page-view.js';
import { makePage, type ResidentPage } from '../../src/core/state.js';
import { stubMessage } from '../../src/core/stub.js';
import { VIEW } from '../../src/limits.js';
import { fifo } from '../../src/policy/fifo.js';
import { Harness } from '../support/harness.js';
import { looksUp, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

let seq = 0;

function page(id: number, kind: PageKind, ...parts: readonly (readonly Part[])[]): ResidentPage {
  const role = (index: number): Message['role'] => (index > 0 ? 'tool' : kind);
  const messages = parts.map((list, index) => {
    const message: Message = { id: `m${id}-${index}`, role: role(index), at: 0, parts: list };
    return { seq: (seq += 1), message, tokens: 10 };
  });
  return makePage({ id, kind, sealed: true, messages });
}

const user = (id: number, text: string) => page(id, 'user', [{ type: 'text', text }]);

interface CallShape {
  readonly name?: string;
  readonly args?: string;
  readonly text?: string;
  readonly isError?: boolean;
  readonly recalled?: readonly Reference[];
}

/** An assistant's page with these calls and their results. */
function calling(id: number, ...calls: readonly CallShape[]): ResidentPage {
  const full = calls.map((call, index) => ({ callId: `c${id}-${index}`, name: 'read', args: '{}', ...call }));
  return page(
    id,
    'assistant',
    full.map(({ callId, name, args }) => ({ type: 'call', callId, name, arguments: args })),
    ...full.map(({ callId, name, text = 'found', isError, recalled }): Part[] => [
      {
        type: 'result',
        callId,
        name,
        text,
        ...(isError && { isError }),
        ...(recalled && { recalled }),
      },
    ]),
  );
}

function viewsOf(...pages: readonly ResidentPage[]): PageView[] {
  return residentViews({ ...new Harness().state, pages });
}

const viewOf = (one: ResidentPage) => viewsOf(one)[0];
const lastOf = (...pages: readonly ResidentPage[]) => viewsOf(...pages).at(-1)?.supersedes;

describe('the exact values of a page', () => {
  it('are counted, each once, whatever their form', () => {
    expect(viewOf(user(1, 'Nothing of that kind.'))?.facts).toBe(0);
    expect(viewOf(user(1, 'Ticket INC-4711, due 2026-12-03, costs €1,250.'))?.facts).toBe(3);
  });

  it('run to ten, as a rating does', () => {
    expect(viewOf(user(1, Array.from({ length: 50 }, (_, n) => `KEY-${n}77`).join(' ')))?.facts).toBe(10);
  });

  it('are not those that memory put back: they are counted where they were said', () => {
    const recalled = [{ handle: 'm1', from: 0, to: 20 }];
    const again = calling(2, { name: 'page_in', text: 'Ticket INC-4711', recalled });
    expect(viewOf(again)?.facts).toBe(0);
    expect(viewOf(calling(2, { text: 'Ticket INC-4711' }))?.facts).toBe(1);
  });
});

describe('a page that is shown as a stub', () => {
  it('has the terms and values that it shows, and none of what the stub says about itself', () => {
    const said = textOf(100, 'alpaca');
    const stub = { level: 1, shown: 40 } as const;
    const whole = user(1, said);
    const messages = whole.messages.map((one) => ({
      ...one,
      message: stubMessage(one.message, one.seq, stub),
      stub,
    }));
    const view = viewOf(makePage({ ...whole, messages }));
    expect(JSON.stringify(messages)).toContain('384 characters');
    expect(view?.facts).toBe(0);
    expect(view?.terms).toEqual(viewOf(user(1, 'alpaca'))?.terms);
  });
});

describe('the terms of a page', () => {
  const terms = (text: string) => viewOf(user(1, text))?.terms ?? [];

  it('are shared by pages that share words, in whatever form and order', () => {
    expect(terms('The alpacas were breeding.')).toEqual(terms('Breed an ALPACA!'));
    expect(terms('The alpacas were breeding.')).not.toEqual(terms('The llamas were breeding.'));
  });

  it('are of what it shows, also of what memory put back, but not of what the kernel says in its own name', () => {
    const recalled = [{ handle: 'm1', from: 0, to: 20 }];
    expect(viewOf(calling(2, { name: 'page_in', text: 'alpaca', recalled }))?.terms).toEqual(terms('alpaca'));
    const notice: Message = {
      id: 'kernel-1',
      role: 'system',
      at: 0,
      notice: 'pressure',
      parts: [{ type: 'text', text: 'Memory pressure' }],
    };
    const messages = [{ seq: 1, message: notice, tokens: 1 }];
    expect(viewOf(makePage({ id: 1, kind: 'system', sealed: true, messages }))?.terms).toEqual([]);
  });

  it('of a long page are a sample of its beginning, the same each time', () => {
    const words = Array.from({ length: 5_000 }, (_, n) => `word${n}x`);
    const sample = terms(words.join(' '));
    expect(sample).toHaveLength(VIEW.terms);
    expect(sample).toEqual(sample.toSorted((a, b) => a - b));
    expect(terms(words.slice(0, 600).join(' '))).toEqual(sample);
  });

  it('are distinct, ascending, of 24 bits and bounded, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const found = terms(text);
        expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b));
        expect(found.length).toBeLessThanOrEqual(VIEW.terms);
        for (const term of found) expect(term >= 0 && term < 2 ** 24).toBe(true);
      }),
    );
  });
});

describe('a page supersedes', () => {
  it('an earlier one that made the same call, heartbeat apart', () => {
    const first = calling(1, { args: '{"path":"a.txt","request_heartbeat":true}' });
    const again = calling(3, { args: '{"path":"a.txt", "request_heartbeat": false}' });
    const bare = calling(3, { args: '{"path":"a.txt"}' });
    expect(lastOf(first, user(2, 'again'), again)).toEqual([1]);
    expect(lastOf(first, user(2, 'again'), bare)).toEqual([1]);
    expect(lastOf(first, calling(3, { args: '{"path":"b.txt"}' }))).toBeUndefined();
    expect(lastOf(first, calling(3, { name: 'stat', args: '{"path":"a.txt"}' }))).toBeUndefined();
  });

  it('no page whose long numbers only look alike', () => {
    const id = (digits: string) => ({ args: `{"id":${digits}}` });
    expect(lastOf(calling(1, id('9007199254740993')), calling(2, id('9007199254740992')))).toBeUndefined();
  });

  it('an earlier window that it covers', () => {
    const window = (from: number, to: number, handle = 'm7'): CallShape => ({
      name: 'page_in',
      args: `{"handle":"${handle}","offset":${from},"n":${to}}`,
      recalled: [{ handle, from, to }],
    });
    expect(lastOf(calling(1, window(0, 100)), calling(2, window(0, 200)))).toEqual([1]);
    expect(lastOf(calling(1, window(0, 200)), calling(2, window(0, 100)))).toBeUndefined();
    expect(lastOf(calling(1, window(0, 100)), calling(2, window(0, 200, 'm8')))).toBeUndefined();
  });

  it('all that made the call before, the newest of them when they are many', () => {
    const pages = Array.from({ length: 20 }, (_, index) => calling(index + 1, {}));
    expect(lastOf(...pages)).toEqual(Array.from({ length: 16 }, (_, index) => index + 4));
  });

  it('a page only when all that it read was read again', () => {
    const both = calling(1, { args: '{"a":1}' }, { args: '{"b":2}' });
    expect(lastOf(both, calling(2, { args: '{"a":1}' }))).toBeUndefined();
    expect(lastOf(both, calling(2, { args: '{"b":2}' }, { args: '{"a":1}' }))).toEqual([1]);
  });

  it('nothing when its own call failed, or when something was said or stored', () => {
    expect(lastOf(calling(1, {}), calling(2, { isError: true }))).toBeUndefined();
    const said = { name: 'send_message', args: '{"message":"ok"}' };
    expect(lastOf(calling(1, said), calling(2, said))).toBeUndefined();
    expect(lastOf(calling(1, {}, said), calling(2, {}))).toBeUndefined();
  });
});

describe('a birth', () => {
  it('says so when a call of the page failed', () => {
    expect(viewOf(calling(1, { isError: true }))?.failed).toBe(true);
    expect(viewOf(calling(1, {}))).not.toHaveProperty('failed');
  });

  it('tells the policy and the recording the same as a rebuild does', () => {
    const told: PageView[] = [];
    const harness = new Harness({
      policy: () => ({ ...fifo(), onBirth: (view) => void told.push(view) }),
      reply: (request) => (request.messages.at(-2)?.role === 'user' ? looksUp('read') : tells('found 4711')),
    });
    for (let n = 0; n < 4; n++) harness.send(`What about ticket INC-${n}?`);
    expect(told.some(({ supersedes }) => supersedes)).toBe(true);
    expect(harness.observed('page-born').map(({ name: _, page: id, ...rest }) => ({ id, ...rest }))).toEqual(
      told,
    );
    expect(residentViews(harness.state)).toEqual(told);
  });

  it('tells at a reclaim what is talked about, and what the pages take now', () => {
    const harness = new Harness({ limits: { keepExchanges: 0 } });
    while (harness.observed('reclaim').length === 0) harness.send(`Do alpacas swim? ${textOf(100)}`);
    const [reclaim] = harness.observed('reclaim');
    const newest = harness.observed('page-born').findLast(({ kind }) => kind === 'user');
    expect(reclaim?.focus).toEqual(newest?.terms);
  });
});
