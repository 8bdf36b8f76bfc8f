import type { PageId, Tokens } from '@pagefault/contracts';
import type { Frames } from './frames.js';
import type { VictimQuery } from './policy.js';

/** A page that may be asked for: its size as it was born. */
export interface Candidate {
  readonly id: PageId;
  readonly tokens: Tokens;
}

/** From the front, as many eligible pages as the release needs; all of them when even they are too few. */
export function takeEnough(candidates: Iterable<Candidate>, ask: VictimQuery): PageId[] {
  const victims: PageId[] = [];
  let released = 0;
  for (const { id, tokens } of candidates) {
    if (released >= ask.release) break;
    if (!ask.isEligible(id)) continue;
    victims.push(id);
    released += sizeNow(ask, id, tokens);
  }
  return victims;
}

/** What the page takes now, where that is told; else what it took at its birth. */
export function sizeNow(ask: VictimQuery, id: PageId, atBirth: Tokens): Tokens {
  return ask.tokensOf?.(id) ?? atBirth;
}

/** Who goes, while it is being collected, and what that releases. */
export interface Victims {
  ids: PageId[];
  released: Tokens;
}

export const nobody = (): Victims => ({ ids: [], released: 0 });

/** Takes the page of this frame too, if it may go. Whether it does. */
export function offer(victims: Victims, frame: number, frames: Frames, ask: VictimQuery): boolean {
  const id = frames.page(frame);
  if (!ask.isEligible(id)) return false;
  // Mostly one page is enough. A list written out has room for it alone, one that is pushed to at once for seventeen.
  if (victims.ids.length === 0) victims.ids = [id];
  else victims.ids.push(id);
  victims.released += sizeNow(ask, id, frames.tokens(frame));
  return true;
}
