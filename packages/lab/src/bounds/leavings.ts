/**
 * When pages may leave, whatever the policy: at a reclaim, or when they are masked. What is born stays until the next time.
 * A time counts as one also when nothing leaves.
 */
import type { Tokens } from '@pagefault/contracts';
import { runningSums, type Timeline } from './timeline.js';

/**
 * The same for every policy, for nothing has left until then and nothing was read in. The number of steps when there is none.
 * The first step when other pages may come in, for then it is not known.
 */
export function firstLeaving(line: Timeline): number {
  return line.isOpen ? 0 : leavingBy(line, 0);
}

/** For each step, the last that may be the first such time after it; the number of steps when none need come. */
export function latestLeavings(line: Timeline): Int32Array {
  const first = firstLeaving(line);
  const latest = new Int32Array(line.steps).fill(first, 0, first);
  const before = runningSums(line.born);
  // The later the beginning, the less was born since, so the end moves one way only.
  for (let step = first, until = 0; step < line.steps; step++)
    latest[step] = until = leavingBy(line, step, Math.max(until, step + 1), before);
  return latest;
}

/** The first step from `from` on at which what was born since `since` is more than a request may hold. */
function leavingBy(
  { born, fixed, leaving, steps }: Timeline,
  since: number,
  from = since,
  before = runningSums(born),
): number {
  for (let step = from; step < steps; step++) {
    const tokens: Tokens = (before[step + 1] ?? 0) - (before[since] ?? 0);
    if (tokens + (fixed[step] ?? 0) > (leaving[step] ?? 0)) return step;
  }
  return steps;
}
