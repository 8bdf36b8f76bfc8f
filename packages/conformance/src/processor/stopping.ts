import { getEventListeners } from 'node:events';
import type { ProcessorEvent } from '@pagefault/contracts';
import { checkHead, codeOf, holds, rejects, same } from '../check.js';
import type { ProcessorCase, ProcessorInstance } from './instance.js';
import { collect, hello, lookTool, replyOf, request } from './samples.js';

const FULL = {
  thinking: 'hm hm',
  text: 'one two',
  calls: [
    { name: 'look', arguments: '{"at":"the sky"}' },
    { name: 'look', arguments: '{}' },
  ],
};

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

/** Reads `count` events, aborts, and reads on; gives what the reading ended with. */
async function abortedAfter(
  { driver }: ProcessorInstance,
  count: number,
): Promise<{ readonly ended: string; readonly events: readonly ProcessorEvent[]; readonly left: number }> {
  const controller = new AbortController();
  const events: ProcessorEvent[] = [];
  let ended = 'no error';
  try {
    for await (const event of driver.infer(
      request(hello.messages, { tools: [lookTool] }),
      controller.signal,
    )) {
      events.push(event);
      if (events.length === count) controller.abort();
    }
  } catch (error) {
    ended = codeOf(error);
  }
  return { ended, events, left: listeners(controller.signal) };
}

export const stopping: readonly ProcessorCase[] = [
  {
    name: 'abort: beforehand nothing is sent (C20)',
    async run({ driver, script, requests }) {
      script({ text: 'ok' });
      await rejects('E_ABORTED', collect(driver.infer(hello, AbortSignal.abort())));
      same(requests(), 0);
    },
  },
  {
    name: 'abort: at every event it ends the cycle, leaves no listener, and the next cycle works (C19 C20)',
    async run(instance) {
      const { driver, script } = instance;
      script(FULL);
      const events = await collect(driver.infer(request(hello.messages, { tools: [lookTool] })));
      const whole = events.findIndex(({ type }) => type === 'finish') + 1;
      for (let count = 1; count < whole; count += 1) {
        script(FULL, { text: 'ok' });
        const { ended, events: given, left } = await abortedAfter(instance, count);
        same([count, ended, left], [count, 'E_ABORTED', 0]);
        holds(
          given.every(({ type }) => type !== 'finish'),
          'what was stopped is no reply',
        );
        same((await replyOf(driver.infer(hello))).parts, [{ type: 'text', text: 'ok' }]);
      }
    },
  },
  {
    name: 'abort: while nothing comes it ends the cycle at once (C20)',
    async run({ driver, script, requests }) {
      script({ fault: { kind: 'silent', shown: false } }, { text: 'ok' });
      const controller = new AbortController();
      const waiting = collect(driver.infer(hello, controller.signal));
      const ended = rejects('E_ABORTED', waiting);
      while (requests() === 0) await turn();
      controller.abort();
      await ended;
      same((await replyOf(driver.infer(hello))).reason, 'stop');
    },
  },
  {
    name: 'abort: one signal serves many cycles, also with tries, and no listener is left (C19)',
    async run({ driver, script }) {
      const { signal } = new AbortController();
      for (let cycle = 0; cycle < 10; cycle += 1) {
        script({ fault: { kind: 'status', status: 503 } }, { text: 'one two' });
        for await (const event of driver.infer(hello, signal))
          holds(listeners(signal) <= 2, `${listeners(signal)} listeners at an event of ${event.type}`);
      }
      same(listeners(signal), 0);
    },
  },
  {
    name: 'abort: a reader that stops reading ends the request and leaves no listener (C19)',
    async run({ driver, script, answering }) {
      const { signal } = new AbortController();
      script({ text: 'one two three', fault: { kind: 'silent', shown: true } });
      for await (const event of driver.infer(hello, signal)) if (event.type === 'text') break;
      same(listeners(signal), 0);
      while (answering() > 0) await turn();
    },
  },
  {
    name: 'manifest: the head is complete and frozen, and a reply leaves room for input (A38)',
    async run({ driver }) {
      checkHead(driver, 'processor', ['infer', 'count']);
      const { model, window, maxOutput, parallelCalls, images } = driver.supports;
      holds(model !== '' && maxOutput > 0 && maxOutput < window, 'the limits are told');
      same([typeof parallelCalls, typeof images], ['boolean', 'boolean']);
    },
  },
  {
    name: 'lifecycle: open and close may be called twice, and a closed driver can be opened again',
    async run({ driver, script }) {
      await driver.open();
      await driver.close();
      await driver.close();
      await driver.open();
      script({ text: 'ok' });
      same((await replyOf(driver.infer(hello))).reason, 'stop');
    },
  },
  {
    name: 'lifecycle: a closed driver refuses to infer, and still counts',
    async run({ driver, script, requests }) {
      script({ text: 'ok' });
      await driver.close();
      await rejects('E_NOT_OPEN', collect(driver.infer(hello)));
      same([requests(), (await driver.count([{ kind: 'system', text: 'x' }])).length], [0, 1]);
    },
  },
  {
    name: 'lifecycle: closing ends what is under way',
    async run({ driver, script }) {
      script({ text: 'one two three', fault: { kind: 'silent', shown: true } });
      const reading = (async () => {
        for await (const event of driver.infer(hello)) if (event.type === 'text') void driver.close();
      })();
      await rejects('E_ABORTED', reading);
    },
  },
];

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
