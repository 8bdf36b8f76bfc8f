import { describe, expect, it } from 'vitest';
import { Harness } from '../support/harness.js';
import { call, calls, looksUp, says, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

describe('a crash in the middle of a function call', () => {
  const twoCalls = () => calls(call('pay', { n: 1 }), call('read', { n: 2, request_heartbeat: true }));

  function crashed(): Harness {
    const harness = new Harness({ reply: (_, n) => (n === 0 ? twoCalls() : tells('done')) });
    harness.stopBefore = 'call';
    harness.drive(harness.interrupt('pay and read', { id: 'mine' }));
    harness.stopBefore = undefined;
    return harness;
  }

  it('leaves the call in the store, waiting (C08)', () => {
    const [, open] = crashed().store.state().pages;
    expect(open).toMatchObject({ sealed: false, kind: 'assistant' });
  });

  it('runs calls again that may be run again, and answers (C08)', () => {
    const harness = crashed();
    expect(harness.reload()).toMatchObject({ outcome: 'answered', text: 'done', interruptId: 'mine' });
    expect(harness.calls.map(({ name }) => name)).toEqual(['pay', 'read', 'send_message']);
  });

  it('tells the model of an unknown outcome, and does not run that call again', () => {
    const harness = crashed();
    const pay = harness.store.message(2).parts.find((part) => part.type === 'call' && part.name === 'pay');
    const interrupted = pay?.type === 'call' ? [pay.callId] : [];
    expect(harness.reload({ interrupted })?.outcome).toBe('answered');
    expect(harness.calls.map(({ name }) => name)).toEqual(['read', 'send_message']);
    expect(harness.store.message(3).parts[0]).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Outcome unknown/),
    });
  });

  it('seals the page durably when no call is left to run', () => {
    const harness = crashed();
    const ids = harness.store.message(2).parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []));
    harness.stopBefore = 'infer';
    harness.reload({ interrupted: ids });
    expect(harness.store.state().pages.at(-1)?.sealed).toBe(true);
  });

  it('does not count the time that the turn was cut off', () => {
    const harness = crashed();
    harness.now += 3_600_000;
    expect(harness.reload()?.outcome).toBe('answered');
  });

  it('does not take a second result for a call (C10)', () => {
    const harness = crashed();
    const [first] = harness.store.message(2).parts.flatMap((part) => (part.type === 'call' ? [part] : []));
    const event = {
      type: 'call-finished',
      at: harness.now,
      callId: first?.callId ?? '',
      outcome: { text: 'paid' },
    } as const;
    harness.stopBefore = 'call';
    harness.drive({ ...event, messageId: 'r1' });
    harness.drive({ ...event, messageId: 'r2' });
    const results = harness.store.log.filter(({ message }) => message.role === 'tool');
    expect(results.map(({ message }) => message.id)).toEqual(['r1']);
  });
});

describe('a crash at any effect', () => {
  const story = () =>
    new Harness({
      window: 1_200,
      reply: (request, n) => {
        const last = request.messages.findLast(({ role }) => role === 'user' || role === 'tool');
        return last?.role === 'user' ? looksUp('read', { n }) : tells(`answer ${last?.id}`);
      },
      tool: () => ({ text: textOf(60) }),
    });

  it.each(['commit', 'count', 'summarise', 'infer', 'call', 'end'] as const)(
    'before "%s" loses and doubles nothing',
    (type) => {
      const harness = story();
      for (let n = 0; n < 12; n++) {
        const interrupt = harness.interrupt(textOf(60), { id: `q${n}` });
        harness.stopBefore = n % 3 === 1 ? type : undefined;
        harness.drive(interrupt);
        harness.stopBefore = undefined;
        harness.reload();
        const taken = harness.store.log.some(({ message }) => message.id === `q${n}`);
        if (!taken) harness.drive(interrupt);
      }
      const ids = harness.store.log.map(({ message }) => message.id);
      expect(new Set(ids).size).toBe(ids.length);
      for (let n = 0; n < 12; n++)
        expect(harness.store.row('deliveries', `q${n}`)).toMatchObject({
          state: 'done',
          outcome: 'answered',
        });
      expect(harness.store.log.map(({ seq }) => seq)).toEqual(ids.map((_, index) => index + 1));
    },
  );
});

describe('a turn that is stopped', () => {
  it('gives the waiting calls results, so that the next turn works (C09, C20)', () => {
    const harness = new Harness({ reply: (_, n) => (n === 0 ? calls(call('a'), call('b')) : says('ok')) });
    harness.stopBefore = 'call';
    harness.drive(harness.interrupt('go'));
    harness.stopBefore = undefined;
    const result = harness.drive({ type: 'cancelled', at: harness.now });
    expect(result?.outcome).toBe('interrupted');
    const results = harness.store.log.flatMap(({ message }) =>
      message.parts.filter(({ type }) => type === 'result'),
    );
    expect(results).toHaveLength(2);
    expect(harness.send('again').outcome).toBe('answered');
  });

  it('when no turn runs is nothing', () => {
    const harness = new Harness();
    const before = harness.store.log.length;
    expect(harness.drive({ type: 'cancelled', at: harness.now })).toBeUndefined();
    expect(harness.store.log).toHaveLength(before);
  });

  it('while a summary is awaited evicts nothing that is not in it (A43, A52)', () => {
    const harness = new Harness();
    while (harness.state.pages.length < 12) harness.send(textOf(115));
    harness.stopBefore = 'summarise';
    for (let n = 0; n < 20 && harness.machine.state.turn === undefined; n++)
      harness.drive(harness.interrupt(textOf(115)));
    const before = harness.state.pages.length;
    harness.drive({ type: 'cancelled', at: harness.now });
    expect(harness.state.pages.length).toBe(before);
    expect(harness.state.summary).toBeUndefined();
    harness.stopBefore = undefined;
    expect(harness.send('go on').outcome).toBe('answered');
    expect(harness.state.summary).toBeDefined();
  });
});
