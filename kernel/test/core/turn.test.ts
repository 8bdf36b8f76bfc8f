import type { Reply } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { type Answer, Harness, type HarnessOptions } from '../support/harness.js';
import { call, calls, looksUp, nothing, reply, says, tells } from '../support/replies.js';

/** Says each reply once, then `ok`. */
function scripted(replies: readonly Answer[], options: HarnessOptions = {}): Harness {
  return new Harness({ ...options, reply: (_, n) => replies[n] ?? says('ok') });
}

function notices(harness: Harness): (string | undefined)[] {
  return harness.store.log.map(({ message }) => message.notice).filter((notice) => notice !== undefined);
}

describe('a turn', () => {
  it('is answered by send_message, and ends without a heartbeat', () => {
    const harness = scripted([tells('hello Ada')]);
    expect(harness.send('hi')).toMatchObject({ outcome: 'answered', text: 'hello Ada', cycles: 1 });
  });

  it('takes plain text for the answer, for weak models forget send_message', () => {
    expect(scripted([says(' hello ')]).send('hi')).toMatchObject({ outcome: 'answered', text: 'hello' });
  });

  it('goes on when a heartbeat is asked for', () => {
    const harness = scripted([looksUp('read'), looksUp('read', { n: 2 }), tells('found')]);
    expect(harness.send('look')).toMatchObject({ outcome: 'answered', text: 'found', cycles: 3 });
  });

  it('goes on after an answer when another call asked for it', () => {
    const both = calls(
      call('send_message', { message: 'one moment' }),
      call('read', { request_heartbeat: true }),
    );
    expect(scripted([both, tells('found')]).send('look')).toMatchObject({
      text: 'one moment\n\nfound',
      cycles: 2,
    });
  });

  it('goes on without a heartbeat while the user has no answer (C25)', () => {
    const harness = scripted(
      [calls(call('core_memory_append', { name: 'human', content: 'x' })), tells('noted')],
      {
        blocks: [{ name: 'human', value: '', limit: 100, version: 1, readOnly: false }],
      },
    );
    expect(harness.send('I am x')).toMatchObject({ text: 'noted', cycles: 2 });
  });

  it('goes on when a call failed', () => {
    const failing = calls(call('send_message', { message: 'done' }), call('write', {}));
    const harness = scripted([failing, tells('it failed, sorry')], {
      tool: () => ({ text: 'disk full', isError: true }),
    });
    expect(harness.send('write')).toMatchObject({ text: 'done\n\nit failed, sorry', cycles: 2 });
  });

  it('runs the calls of one reply in order, and seals the page when all results are in', () => {
    const harness = scripted([
      calls(call('a'), call('b'), call('c', { request_heartbeat: true })),
      tells('done'),
    ]);
    harness.send('three');
    expect(harness.calls.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'send_message']);
    expect(harness.observed('page-born').map(({ page }) => page)).toEqual([1, 2, 3]);
  });

  it('marks the message consumed and appends it in one commit', () => {
    const harness = scripted([]);
    const event = harness.interrupt('hi');
    if (event.type !== 'interrupt') throw new Error('no interrupt');
    harness.drive({ ...event, interrupt: { ...event.interrupt, inboxKey: '0/1' } });
    const commit = harness.store.commits.find(({ appends }) => appends?.length);
    expect(commit?.deletes).toContainEqual({ space: 'inbox', key: '0/1' });
    expect(commit?.puts).toContainEqual(
      expect.objectContaining({ space: 'deliveries', value: expect.objectContaining({ state: 'running' }) }),
    );
  });

  it('ends in its own committed state, with its result under the id of the message', () => {
    const harness = scripted([tells('hello')]);
    const { turnId } = harness.send('hi', { id: 'mine' });
    expect(harness.store.row('deliveries', 'mine')).toMatchObject({
      state: 'done',
      outcome: 'answered',
      text: 'hello',
      turnId,
    });
    expect(harness.store.row('state', 'turn')).toBeUndefined();
    expect(harness.store.state().turn).toBeUndefined();
  });
});

describe('a tool that gives nothing', () => {
  it.each(['', ' \n', '\u200b'])('has "(no output)" as its result: %j (A10)', (text) => {
    const harness = scripted([looksUp('mkdir'), tells('made')], { tool: () => ({ text }) });
    harness.send('make it');
    expect(harness.store.message(3).parts[0]).toMatchObject({ type: 'result', text: '(no output)' });
  });
});

describe('a reply that is empty', () => {
  it.each([nothing(), says(' \n'), reply([{ type: 'thinking', text: 'hm' }])])(
    'is not stored, and asked for once more (A09, A21) %#',
    (empty) => {
      const harness = scripted([empty, tells('hello')]);
      expect(harness.send('hi')).toMatchObject({ outcome: 'answered', text: 'hello', cycles: 2 });
      for (const { message } of harness.store.log)
        expect(JSON.stringify(message.parts)).not.toMatch(/"text":"\s*"/);
    },
  );

  it('in one part only is stored without it', () => {
    const harness = scripted([
      reply([{ type: 'text', text: ' ' }, call('read', { request_heartbeat: true })], 'calls'),
      tells('done'),
    ]);
    harness.send('hi');
    expect(harness.store.message(2).parts.map(({ type }) => type)).toEqual(['call']);
  });

  it('twice ends the turn as yielded, and the next turn works', () => {
    const harness = scripted([nothing(), nothing()]);
    expect(harness.send('hi')).toMatchObject({ outcome: 'yielded', text: '', cycles: 2 });
    expect(harness.send('hi').outcome).toBe('answered');
  });

  it('after a look-up that followed an answer is no failure', () => {
    const both = calls(
      call('send_message', { message: 'one moment' }),
      call('read', { request_heartbeat: true }),
    );
    expect(scripted([both, nothing()]).send('look').outcome).toBe('answered');
  });
});

describe('a refusal', () => {
  it.each([nothing('refused'), says('I cannot help with that.', 'refused')])(
    'is its own outcome, and is not tried again (A30) %#',
    (refusal) => {
      const harness = scripted([refusal]);
      expect(harness.send('hi').outcome).toBe('refused');
      expect(harness.requests).toHaveLength(1);
      expect(harness.send('something else').outcome).toBe('answered');
    },
  );

  it('that comes as a failure is one too', () => {
    expect(scripted([{ failure: { code: 'E_REFUSED', message: 'filtered' } }]).send('hi').outcome).toBe(
      'refused',
    );
  });
});

describe('a reply that was cut off', () => {
  const cut = (): Reply => {
    const stand = call('write', {});
    return { ...reply([], 'length'), brokenCalls: [{ call: stand, problem: 'the arguments were cut off' }] };
  };

  it('has its broken call stored well-formed and answered, never run (A22, A23)', () => {
    const harness = scripted([cut(), tells('shorter now')]);
    expect(harness.send('write it').outcome).toBe('answered');
    expect(harness.calls.map(({ name }) => name)).toEqual(['send_message']);
    const [, said, result] = harness.store.log.map(({ message }) => message.parts[0]);
    expect(said).toMatchObject({ type: 'call', arguments: '{}' });
    expect(result).toMatchObject({ type: 'result', isError: true, text: 'the arguments were cut off' });
  });

  it('runs the whole calls beside a broken one', () => {
    const whole = call('read', { request_heartbeat: true });
    const broken = { call: call('write', {}), problem: 'no JSON' };
    const harness = scripted([{ ...calls(whole), brokenCalls: [broken] }, tells('done')]);
    harness.send('both');
    expect(harness.calls.map(({ name }) => name)).toEqual(['read', 'send_message']);
    const results = harness.store.log.flatMap(({ message }) =>
      message.parts.filter(({ type }) => type === 'result'),
    );
    expect(results).toHaveLength(3);
  });

  it('is repeated a bounded number of times (A22)', () => {
    const harness = new Harness({ reply: cut });
    const result = harness.send('write it');
    expect(result.outcome).toBe('truncated');
    expect(result.cycles).toBeLessThanOrEqual(3);
  });

  it('ends as truncated, with its text and a mark', () => {
    const harness = scripted([says('a long answ', 'length')]);
    expect(harness.send('tell')).toMatchObject({ outcome: 'truncated', text: 'a long answ' });
    expect(notices(harness)).toEqual(['truncated']);
  });
});

describe('every run ends', () => {
  it('at the cap of cycles', () => {
    const harness = new Harness({ limits: { maxCycles: 7 }, reply: (_, n) => looksUp('read', { n }) });
    expect(harness.send('go')).toMatchObject({ outcome: 'cycle-cap', cycles: 7 });
  });

  it('at the cap of tokens', () => {
    const spending = (n: number) => ({
      ...looksUp('read', { n }),
      usage: { plain: 500, cached: 0, written: 0, output: 0 },
    });
    const harness = new Harness({
      limits: { maxTurnTokens: 1_200, maxCalibration: 1 },
      reply: (_, n) => spending(n),
    });
    expect(harness.send('go')).toMatchObject({
      outcome: 'spend-cap',
      cycles: 3,
      failure: {
        code: 'E_SPEND_CAP',
        message: 'this turn used 1500 tokens, and limits.maxTurnTokens is 1200',
        hint: 'raise limits.maxTurnTokens to go on',
      },
    });
  });

  it('at the cap of tokens also when the provider reports none', () => {
    const harness = new Harness({
      limits: { maxTurnTokens: 1_000 },
      reply: (_, n) => looksUp('read', { n }),
    });
    expect(harness.send('go').outcome).toBe('spend-cap');
  });

  it('at the cap of time', () => {
    const harness = new Harness({ limits: { maxTurnMs: 5_000 }, reply: (_, n) => looksUp('read', { n }) });
    expect(harness.send('go').outcome).toBe('time-cap');
  });

  it('when the same call gives the same result too often (C24)', () => {
    const harness = new Harness({ reply: () => looksUp('read', { path: 'a' }) });
    expect(harness.send('go')).toMatchObject({ outcome: 'repeating', cycles: 3 });
  });

  it('but not when the same call gives something new', () => {
    let n = 0;
    const harness = new Harness({
      limits: { maxCycles: 9 },
      reply: () => looksUp('poll'),
      tool: () => ({ text: `state ${(n += 1)}` }),
    });
    expect(harness.send('go').outcome).toBe('cycle-cap');
  });

  it('with the processor for an outcome when it fails, once (C18)', () => {
    const harness = new Harness({
      reply: () => ({ failure: { code: 'E_REQUEST', message: '400', hint: 'read the log' } }),
    });
    expect(harness.send('go')).toMatchObject({
      outcome: 'failed',
      failure: { code: 'E_REQUEST', hint: 'read the log' },
    });
    expect(harness.requests).toHaveLength(1);
  });

  it('when the lease is lost', () => {
    const harness = new Harness({ reply: () => ({ failure: { code: 'E_LEASE_LOST', message: 'taken' } }) });
    expect(harness.send('go').outcome).toBe('lease-lost');
  });
});

describe('text that had been shown when a reply broke off', () => {
  it('is kept, and marked as not complete (C14, C20)', () => {
    const harness = scripted([
      { failure: { code: 'E_OVERLOADED', message: 'busy' }, partial: 'The answer is' },
    ]);
    expect(harness.send('hi')).toMatchObject({ outcome: 'failed' });
    expect(harness.store.message(2).parts).toEqual([{ type: 'text', text: 'The answer is' }]);
    expect(notices(harness)).toEqual(['interrupted']);
    expect(harness.send('go on').outcome).toBe('answered');
  });

  it.each([' ', '\u0000', ' \u0000\n'])('leaves nothing when there was none: %j (A09, B01)', (partial) => {
    const harness = scripted([{ failure: { code: 'E_ABORTED', message: 'stopped' }, partial }]);
    expect(harness.send('hi').outcome).toBe('interrupted');
    expect(harness.store.log).toHaveLength(1);
  });
});

describe('what the model writes', () => {
  it('is made storable: no NUL, no lone surrogate (B01, B02, B03)', () => {
    const nasty = 'a\u0000b\ud800c';
    const parts = [
      { type: 'thinking', text: nasty },
      { type: 'text', text: nasty },
      { ...call('read', '{"x":"\udfff","request_heartbeat":true}') },
    ] as const;
    const harness = scripted([reply(parts, 'calls'), says(nasty)]);
    const result = harness.send('hi');
    const stored = JSON.stringify([harness.store.log, harness.store.row('deliveries', result.interruptId)]);
    expect(stored).not.toMatch(/\\u0000|\\ud800|\\udfff/);
    expect(result.text).toBe('ab\ufffdc');
  });

  it('keeps an honest backslash-u-zero as it stands (B01)', () => {
    const harness = scripted([says('the six characters \\u0000')]);
    expect(harness.send('hi').text).toBe('the six characters \\u0000');
  });

  it('keeps the digits of a large number in its arguments (A28)', () => {
    const exact = '{"id":2512292042121000001,"request_heartbeat":true}';
    const harness = scripted([calls(call('get', exact)), tells('got')]);
    harness.send('get it');
    expect(harness.calls[0]?.arguments).toBe(exact);
    const sent = harness.requests[1]?.request.messages.flatMap(({ parts }) => parts);
    expect(sent).toContainEqual(expect.objectContaining({ type: 'call', arguments: exact }));
  });

  it('keeps thinking with its signature, byte for byte (A13)', () => {
    const thinking = {
      type: 'thinking',
      text: '',
      opaque: { driver: 'd', model: 'm', data: { signature: 'x==' } },
    } as const;
    const harness = scripted([
      reply([thinking, call('read', { request_heartbeat: true })], 'calls'),
      tells('done'),
    ]);
    harness.send('think');
    expect(harness.store.message(2).parts[0]).toEqual(thinking);
  });
});
