import { Seen } from './seen.js';

export class Hanging extends Seen {}

/** The timer keeps Node running: work that waits for nothing at all would end the command, with nothing said. */
export async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const hanging = new Hanging(`no end after ${limit / 1000} s: a call of the driver does not come back`);
    timer = setTimeout(() => reject(hanging), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
