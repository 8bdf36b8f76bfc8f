import { refuseWhenAborted } from './base.js';

/** Waits for `work`, or until `signal` aborts: then `E_ABORTED`. Leaves no listener behind. */
export async function orAborted<T>(driver: string, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  refuseWhenAborted(driver, signal);
  if (signal === undefined) return work;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      try {
        refuseWhenAborted(driver, signal);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
