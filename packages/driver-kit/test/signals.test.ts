import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWatch, whenAborted, withAnySignal } from '../src/index.js';

const warnings: string[] = [];
const note = (warning: Error) => void warnings.push(warning.name);
beforeEach(() => void process.on('warning', note));
afterEach(() => void process.off('warning', note));

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
const many = (make: () => void) => Array.from({ length: 40 }, make);

it('forty calls with one signal are one listener, without a warning, and all of them are stopped', async () => {
  const { signal, ...caller } = controller();
  const watches = Array.from({ length: 40 }, () =>
    startWatch({ driver: 'd', idle: 60_000, left: 60_000, callers: [signal] }),
  );
  const works = watches.map((watch) => watch.hear(new Promise(() => undefined)));
  const inner: AbortSignal[] = [];
  const others = Array.from({ length: 40 }, () =>
    withAnySignal(
      [signal],
      (any) => new Promise((resolve) => (inner.push(any), any.addEventListener('abort', resolve))),
    ),
  );
  expect(listeners(signal)).toBe(1);
  caller.abort();
  for (const work of works) await expect(work).rejects.toMatchObject({ code: 'E_ABORTED' });
  await Promise.all(others);
  expect(inner.every(({ aborted }) => aborted)).toBe(true);
  for (const watch of watches) watch.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

it('leaves no listener when the last has left, and begins anew after that', () => {
  const { signal, abort } = controller();
  const calls: string[] = [];
  const leaves = many(() => undefined).map((_, i) => whenAborted(signal, () => calls.push(`old ${i}`)));
  for (const leave of leaves) leave();
  expect(listeners(signal)).toBe(0);
  whenAborted(signal, () => calls.push('new'));
  leaves[0]?.();
  expect(listeners(signal)).toBe(1);
  abort();
  expect(calls).toEqual(['new']);
});

function controller() {
  const one = new AbortController();
  return { signal: one.signal, abort: () => one.abort() };
}
