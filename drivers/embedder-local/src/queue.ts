/** Runs one piece of work at a time, in the order of the calls. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    // The caller hears of a failure; the next in line only needs to know that this one is done.
    last = result.catch(() => undefined);
    return result;
  };
}
