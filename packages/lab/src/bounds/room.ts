/**
 * How much may be kept. A limit is a stretch of steps and a room: what is kept over the whole stretch, beside what must be
 * there anyway, fits into the room.
 *
 * There is one for each step, for a request is no larger than where a reclaim begins, or the target at the first. And one
 * for each stretch in which as much is born as lies between there and the target: either a reclaim comes in it, and what is
 * kept fits into the target; or none comes, and it stands beside all that was born.
 */
import type { PagingSetup } from '../paging/setup.js';
import { firstLeaving } from './leavings.js';
import type { Timeline } from './timeline.js';

/** Stretches whose beginnings and ends both rise, so that a gap spans a run of them. */
export interface Limits {
  /** The first and the last step of each. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Tokens beyond what is left of a page that leaves. */
  readonly room: Float64Array;
}

/** What is there at a step after its reclaim, at least. `isReadIn`: whether a page that is needed is surely there. */
export function leastAt(line: Timeline, step: number, isReadIn: boolean): number {
  const { born, fixed, needed, older, olderNeeded, leastLeft } = line;
  const open = isReadIn ? (needed[step] ?? 0) - leastLeft * (olderNeeded[step] ?? 0) : 0;
  return (fixed[step] ?? 0) + (born[step] ?? 0) + open + leastLeft * (older[step] ?? 0);
}

export function limitsOfSteps(line: Timeline, setup: PagingSetup, isReadIn: boolean): Limits {
  const target = targetOf(setup);
  const first = firstLeaving(line);
  const places = Int32Array.from({ length: line.steps }, (_, step) => step);
  const room = Float64Array.from(line.threshold, (threshold, step) =>
    Math.max(
      0,
      (step === first && !setup.masking && !line.isOpen ? target : mostAfter(threshold, target)) -
        leastAt(line, step, isReadIn),
    ),
  );
  return { first: places, last: places, room };
}

/** What a request holds that is not over the threshold, or was brought to the target. */
function mostAfter(threshold: number, target: number): number {
  return Math.max(Math.floor(threshold), target);
}

export function limitsOfStretches(line: Timeline, setup: PagingSetup, isReadIn: boolean): Limits {
  const target = targetOf(setup);
  const wanted = Math.floor(setup.budget * setup.flushShare) - target;
  const [first, last, room]: [number[], number[], number[]] = [[], [], []];
  let [end, born] = [-1, 0];
  // A reclaim that need not go below where it begins makes no more room scarce than the steps do.
  // And where pages are masked, what was born may have left without one.
  const begins = wanted > 0 && !setup.masking ? line.steps : 0;
  for (let begin = 0; begin < begins; begin++) {
    while (born < wanted && end + 1 < line.steps) born += line.born[++end] ?? 0;
    if (born < wanted) break;
    first.push(begin);
    last.push(end);
    room.push(roomOver(line, begin, end, born, target, isReadIn));
    born -= line.born[begin] ?? 0;
  }
  return { first: Int32Array.from(first), last: Int32Array.from(last), room: Float64Array.from(room) };
}

function roomOver(
  line: Timeline,
  first: number,
  last: number,
  born: number,
  target: number,
  isReadIn: boolean,
): number {
  const aside = (line.fixed[last] ?? 0) + born + line.leastLeft * (line.older[first] ?? 0);
  let room = Math.max(0, Math.floor(line.threshold[last] ?? 0) - aside);
  for (let step = first; step <= last; step++) room = Math.max(room, target - leastAt(line, step, isReadIn));
  return room;
}

export function targetOf({ budget, targetShare }: PagingSetup): number {
  return Math.floor(budget * targetShare);
}
