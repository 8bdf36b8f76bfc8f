import type { Message } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import type { Interrupt } from '../../src/core/events.js';
import { Harness } from '../support/harness.js';
import { call, calls, looksUp, says, tells } from '../support/replies.js';

function interrupt(id: string, change: Partial<Interrupt> = {}): Interrupt {
  const message: Message = { id, role: 'user', at: 0, parts: [{ type: 'text', text: `text of ${id}` }] };
  return { id, kind: 'user', message, respond: true, inboxKey: `0/${id}`, delivery: 'steer', ...change };
}

function textsOf(harness: Harness): string[] {
  return harness
    .lastMessages()
    .flatMap(({ parts }) => parts.flatMap((part) => ('text' in part ? part.text : [])));
}

describe('an interrupt that is steered into a turn', () => {
  it('is taken by the next cycle, when no call is open', () => {
    const harness: Harness = new Harness({
      reply: (_, n) => {
        if (n > 0) return tells('done');
        harness.machine.step({ type: 'steered', interrupt: interrupt('s') });
        return looksUp('look');
      },
    });
    const result = harness.send('begin', { id: 'b' });
    expect(textsOf(harness).join('|')).toContain('begin|done|text of s');
    expect(result).toMatchObject({
      interruptId: 'b',
      interruptIds: ['b', 's'],
      outcome: 'answered',
      cycles: 2,
    });
  });

  it('leaves the inbox, joins the log and is told as running in one commit', () => {
    const harness: Harness = new Harness({
      reply: (_, n) => {
        if (n > 0) return tells('done');
        harness.machine.step({ type: 'steered', interrupt: interrupt('s') });
        return looksUp('look');
      },
    });
    harness.send('begin', { id: 'b' });
    const holding = harness.store.commits.filter(({ appends }) =>
      appends?.some(({ message }) => message.id === 's'),
    );
    expect(holding).toHaveLength(1);
    expect(holding[0]?.deletes).toContainEqual({ space: 'inbox', key: '0/s' });
    expect(holding[0]?.puts).toContainEqual({
      space: 'deliveries',
      key: 's',
      value: expect.objectContaining({ state: 'running' }),
    });
    expect(harness.store.row('deliveries', 's')).toEqual(harness.store.row('deliveries', 'b'));
    expect(harness.store.row('deliveries', 's')).toMatchObject({ state: 'done', interruptIds: ['b', 's'] });
  });

  it('waits for all results of the calls that are open', () => {
    const harness: Harness = new Harness({
      reply: (_, n) =>
        n === 0
          ? calls(call('one', { request_heartbeat: true }), call('two', { request_heartbeat: true }))
          : tells('done'),
      tool: ({ name }) => {
        if (name === 'one') harness.machine.step({ type: 'steered', interrupt: interrupt('s') });
        return { text: `result ${name}` };
      },
    });
    harness.send('begin');
    const order = harness.store.log.map(({ message }) => message.role);
    expect(order.slice(0, 5)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });

  it('is only noted: nothing that is awaited is disturbed', () => {
    const harness: Harness = new Harness({
      reply: () => {
        expect(harness.machine.step({ type: 'steered', interrupt: interrupt('s') })).toEqual([]);
        return says('the answer');
      },
    });
    const result = harness.send('begin', { id: 'b' });
    expect(result.interruptIds).toEqual(['b']);
  });

  it('stays in the inbox when the turn ends first, and gets its own', () => {
    const harness: Harness = new Harness({
      reply: () => {
        harness.machine.step({ type: 'steered', interrupt: interrupt('s') });
        return says('the answer');
      },
    });
    harness.send('begin');
    const commits = JSON.stringify(harness.store.commits);
    expect(commits).not.toContain('text of s');
    expect(commits).not.toContain('0/s');
    const own = harness.drive({ type: 'interrupt', at: 5, turnId: 't', interrupt: interrupt('s') });
    expect(own?.interruptIds).toEqual(['s']);
  });

  it('comes too late for a turn whose next cycle will not come', () => {
    const harness: Harness = new Harness({
      limits: { maxCycles: 1 },
      reply: () => {
        harness.machine.step({ type: 'steered', interrupt: interrupt('s') });
        return looksUp('look');
      },
    });
    expect(harness.send('begin')).toMatchObject({ outcome: 'cycle-cap' });
    expect(JSON.stringify(harness.store.commits)).not.toContain('text of s');
  });

  it('that comes between turns, or while a transcript is fed, is passed over', () => {
    const harness = new Harness();
    harness.machine.step({ type: 'steered', interrupt: interrupt('s') });
    harness.send('begin');
    expect(JSON.stringify(harness.store.commits)).not.toContain('text of s');
  });

  it('of a user wants an answer of its own (C25)', () => {
    const harness: Harness = new Harness({
      reply: (_, n) => {
        if (n === 0) harness.machine.step({ type: 'steered', interrupt: interrupt('s') });
        if (n === 0)
          return calls(call('send_message', { message: 'first' }), call('x', { request_heartbeat: true }));
        // Without a heartbeat and without an answer: the turn must go on.
        return n === 1 ? calls(call('core_memory_append', { name: 'human', content: 'x' })) : tells('second');
      },
      blocks: [{ name: 'human', value: '', limit: 100, version: 1, readOnly: false }],
    });
    expect(harness.send('begin')).toMatchObject({ text: 'first\n\nsecond', cycles: 3 });
  });

  it('is the same after a crash in the middle of its turn', () => {
    const harness: Harness = new Harness({
      reply: (_, n) => {
        if (n === 0) harness.machine.step({ type: 'steered', interrupt: interrupt('s') });
        if (n === 1) harness.stopBefore = 'commit';
        return n === 0 ? looksUp('look') : tells('done');
      },
    });
    harness.drive(harness.interrupt('begin', { id: 'b' }));
    harness.stopBefore = undefined;
    const result = harness.reload();
    expect(result).toMatchObject({ interruptIds: ['b', 's'], outcome: 'answered' });
  });
});

describe('a turn that nobody waits for', () => {
  const timer = (id: string) => ({
    type: 'interrupt' as const,
    at: 5,
    turnId: 't',
    interrupt: interrupt(id, { kind: 'timer' }),
  });

  it('ends without an answer when its model asks for nothing more', () => {
    const harness = new Harness({ reply: () => calls(call('look', {})) });
    expect(harness.drive(timer('a'))).toMatchObject({ outcome: 'yielded', cycles: 1, text: '' });
  });

  it('ends at an empty reply', () => {
    const harness = new Harness({ reply: () => says('') });
    expect(harness.drive(timer('a'))).toMatchObject({ outcome: 'yielded', cycles: 1 });
  });

  it('tells the user what it has to say', () => {
    const harness = new Harness({ reply: () => tells('Time to go.') });
    expect(harness.drive(timer('a'))).toMatchObject({ outcome: 'answered', text: 'Time to go.' });
  });
});

describe('a timer that a call sets', () => {
  const schedule = { kind: 'once', at: 9 } as const;
  const timer = { id: 't1', text: 'x', schedule, dueAt: 9, setAt: 1, setBy: 'model' } as const;

  it('is stored with the result of the call, in one commit', () => {
    const harness = new Harness({
      reply: (_, n) => (n === 0 ? looksUp('set_timer') : tells('set')),
      tool: () => ({ text: 'ok', timers: { set: [timer], cancel: ['t0'] } }),
    });
    harness.send('remind me');
    const commit = harness.store.commits.find(({ puts }) => puts?.some(({ space }) => space === 'timers'));
    expect(commit?.puts).toContainEqual({ space: 'timers', key: 't1', value: timer, dueAt: 9 });
    expect(commit?.deletes).toContainEqual({ space: 'timers', key: 't0' });
    expect(commit?.appends?.[0]?.message.role).toBe('tool');
  });

  it('is not stored when the call failed', () => {
    const harness = new Harness({
      reply: (_, n) => (n === 0 ? looksUp('set_timer') : tells('failed')),
      tool: () => ({ text: 'no', isError: true, timers: { set: [timer] } }),
    });
    harness.send('remind me');
    expect(harness.store.rows('timers')).toEqual([]);
  });
});
