import type { RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '../../src/tool.js';
import { asks, brokenPairs, startTalk, type Talk, tells, textsOf } from './talk.js';

const talks: Talk[] = [];
afterEach(async () => {
  for (const talk of talks.splice(0)) await talk.close().catch(() => undefined); // A dead one cannot save.
});

/** A store that a dead kernel no longer reaches, while another one does. */
function mortal(recall: RecallDriver): { readonly recall: RecallDriver; kill(): void } {
  let isDead = false;
  const commit: RecallDriver['commit'] = (...given) =>
    isDead ? Promise.reject(new Error('the store is gone')) : recall.commit(...given);
  return { recall: { ...recall, commit, close: async () => undefined }, kill: () => (isDead = true) };
}

/** A function that never comes back the first time. */
function mail(effect: Tool['effect'], onRun: (callId: string) => void, isFirst: () => boolean): Tool {
  return defineTool({
    name: 'send_mail',
    help: 'Sends a letter.',
    parameters: z.object({ to: z.string() }),
    effect,
    run: ({ to }, { callId }) => {
      onRun(callId);
      return isFirst() ? new Promise(() => undefined) : Promise.resolve(`sent to ${to}`);
    },
  });
}

/** Kills a kernel in the middle of the second of two calls of one message; another one takes over. */
async function killInCall(effect: Tool['effect']) {
  const store = createMemoryRecall();
  const { recall, kill } = mortal(store);
  const runs: string[] = [];
  let isFirst = true;
  let started = (): void => undefined;
  const running = new Promise<void>((resolve) => (started = resolve));
  const onRun = (callId: string) => (runs.push(callId), started());
  const tools = [mail(effect, onRun, () => isFirst)];
  const two = {
    calls: [
      ...(asks('conversation_search', { query: 'x' }).calls ?? []),
      ...(asks('send_mail', { to: 'Bob' }).calls ?? []),
    ],
  };
  const before = await startTalk({ reply: () => two, recall, tools });
  talks.push(before);
  // It dies unanswered.
  before.agent.send({ id: 'q1', text: 'Write to Bob.' }).catch(() => undefined);
  await running;
  kill();
  isFirst = false;
  const after = await startTalk({ reply: () => tells('Done.'), recall: store, tools });
  talks.push(after);
  const result = await after.agent.send({ id: 'q1', text: 'Write to Bob.' });
  return { after, result, runs };
}

describe('a restart in the middle of a function call (C08)', () => {
  it.each(['pure', 'idempotent'] as const)('runs a call that is %s again, by the same id', async (effect) => {
    const { after, result, runs } = await killInCall(effect);
    expect(result).toMatchObject({ outcome: 'answered', text: 'Done.' });
    expect(runs).toHaveLength(2);
    expect(new Set(runs).size).toBe(1);
    const log = await after.log();
    expect(textsOf(log)).toContain('sent to Bob');
    expect(brokenPairs(log)).toEqual([]);
    expect(after.refusals()).toEqual([]);
  });

  it('never runs a call that may run only once again, and says that its outcome is not known', async () => {
    const { after, result, runs } = await killInCall('once');
    expect(result).toMatchObject({ outcome: 'answered', text: 'Done.' });
    expect(runs).toHaveLength(1);
    const log = await after.log();
    expect(textsOf(log)).toContainEqual(expect.stringMatching(/^Outcome unknown/));
    expect(brokenPairs(log)).toEqual([]);
    expect(after.refusals()).toEqual([]);
  });
});
