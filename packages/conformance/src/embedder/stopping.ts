import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { codeOf, holds, rejects, same } from '../check.js';
import type { EmbedderCase } from './instance.js';
import { manyTexts, PRICES, VET } from './samples.js';
import { alike, vectorOf, whole } from './vectors.js';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

/** Turns of the event loop after which work is stopped: at once, soon, and when it is well under way. */
const MOMENTS = [0, 1, 3, 10, 40];

/** Turns of the loop that a server on this machine is given to hear of an end. */
const PATIENCE = 10_000;

/** How the work ended: all that was asked for, or a code. */
async function ended(work: Promise<readonly Float32Array[]>, texts: number) {
  try {
    whole(await work, texts);
    return 'whole';
  } catch (error) {
    return codeOf(error);
  }
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await turn();
}

export const stopping: readonly EmbedderCase[] = [
  {
    name: 'abort: a signal that has fired is E_ABORTED (C20)',
    async run({ driver }) {
      await rejects('E_ABORTED', driver.embed([VET], AbortSignal.abort()));
    },
  },
  {
    name: 'abort: at any moment it is E_ABORTED or too late, leaves no listener, and the next call works (C19 C20)',
    async run(instance) {
      const { driver } = instance;
      const texts = manyTexts(60);
      for (const moment of MOMENTS) {
        const controller = new AbortController();
        const outcome = ended(driver.embed(texts, controller.signal), texts.length);
        await turns(moment);
        controller.abort();
        holds(['E_ABORTED', 'whole'].includes(await outcome), `after ${moment} turns: ${await outcome}`);
        same([moment, listeners(controller.signal)], [moment, 0]);
      }
      whole(await driver.embed([VET]), 1);
    },
  },
  {
    name: 'abort: while nothing comes it ends the call at once, and no other (C20)',
    unable: ({ silence }) => (silence === undefined ? 'the instance has no `silence`' : undefined),
    async run({ driver, silence }) {
      const waits = silence?.();
      const [mine, other] = [new AbortController(), new AbortController()];
      const stopped = rejects('E_ABORTED', driver.embed([VET], mine.signal));
      const later = rejects('E_ABORTED', driver.embed([VET], other.signal));
      const stop = async (): Promise<void> => {
        await waits;
        mine.abort();
        await stopped;
        other.abort();
      };
      await Promise.all([stop(), later]);
    },
  },
  {
    name: 'abort: one signal serves many calls, and no listener is left (C19)',
    async run({ driver }) {
      const { signal } = new AbortController();
      for (let call = 0; call < 12; call += 1) await driver.embed([VET], signal);
      await driver.embed([''], signal).catch(() => undefined);
      same(listeners(signal), 0);
    },
  },
  {
    name: 'calls: many at a time each get what they asked for',
    async run(instance) {
      const { driver } = instance;
      const texts = manyTexts(8);
      const alone = await driver.embed(texts);
      const answers = await Promise.all(texts.map((text) => driver.embed([text, PRICES])));
      for (const [place, answer] of answers.entries()) {
        whole(answer, 2);
        alike(instance, answer[0], alone[place], `call ${place}`);
      }
    },
  },
  {
    name: 'lifecycle: open and close may be called twice',
    async run(instance) {
      const { driver } = instance;
      await driver.open();
      whole(await driver.embed([VET]), 1);
      await driver.close();
      await driver.close();
    },
  },
  {
    name: 'lifecycle: it refuses to embed after close, and holds nothing',
    async run({ driver, held = () => 0 }) {
      await driver.embed([VET]);
      await driver.close();
      await rejects('E_NOT_OPEN', driver.embed([VET]));
      await rejects('E_NOT_OPEN', driver.embed([VET], new AbortController().signal));
      same(held(), 0);
    },
  },
  {
    name: 'lifecycle: a closed driver can be opened again, and gives the same vectors',
    async run(instance) {
      const { driver } = instance;
      const before = await vectorOf(driver, VET);
      await driver.close();
      await driver.open();
      alike(instance, await vectorOf(driver, VET), before, 'after it was opened again');
    },
  },
  {
    name: 'lifecycle: closing ends what is under way, by a code or by its vectors',
    async run({ driver, held = () => 0 }) {
      const texts = manyTexts(60);
      const outcome = ended(driver.embed(texts), texts.length);
      await turn();
      await driver.close();
      holds(['E_ABORTED', 'E_NOT_OPEN', 'whole'].includes(await outcome), await outcome);
      // A server hears a little later that nobody listens any more.
      for (let left = PATIENCE; left > 0 && held() > 0; left -= 1) await turn();
      same(held(), 0);
    },
  },
];
