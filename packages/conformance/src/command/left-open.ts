import { setTimeout as wait } from 'node:timers/promises';

// In all 2 s: sockets and threads need some turns of the event loop until they are gone.
const POLLS = 100;
const POLL_MS = 20;

/** The kinds of what keeps Node running now: sockets, servers, timers, threads. */
export function openNow(): readonly string[] {
  return process.getActiveResourcesInfo();
}

/** What is open now and was not `before`, once it had time to go. */
export async function leftOpen(before: readonly string[]): Promise<readonly string[]> {
  let left = beyond(before);
  for (let poll = 0; left.length > 0 && poll < POLLS; poll += 1) {
    await wait(POLL_MS);
    left = beyond(before);
  }
  return left;
}

function beyond(before: readonly string[]): string[] {
  const known = [...before];
  return openNow().filter((kind) => {
    const place = known.indexOf(kind);
    if (place >= 0) known.splice(place, 1);
    return place < 0;
  });
}
