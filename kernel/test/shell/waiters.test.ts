import { expect, it } from 'vitest';
import { Waiters } from '../../src/shell/interrupts/waiters.js';
import { turnOfTheLoop } from '../support/recall.js';

it('whoever waits may be refused before it looks: nothing is left unhandled, and it is told when it does', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const waiters = new Waiters();
  const waiter = waiters.wait('x', undefined);
  waiters.failAll(new Error('killed'));
  await turnOfTheLoop();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  await expect(waiter.answered).rejects.toThrow('killed');
});
