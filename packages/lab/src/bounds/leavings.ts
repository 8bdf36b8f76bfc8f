/**
 * When pages may leave, whatever the policy: at a reclaim, or when they are masked. What is born stays until the next time.
 * A time counts as one also when nothing leaves.
 */
import type { Tokens } from '@pagefault/contracts';
import type { Timeline } from './timeline.js';

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
  return Int32Array.from({ length: line.steps }, (_, step) =>
    step < first ? first : leavingBy(line, step, step + 1),
  );
}

/** The first step from `from` on at which what was born since `since` is more than a request may hold. */
function leavingBy({ born, fixed, leaving, steps }: Timeline, since: number, from = since): number {
  let tokens: Tokens = 0;
  for (let step = since; step < steps; step++) {
    tokens += born[step] ?? 0;
    if (step >= from && tokens + (fixed[step] ?? 0) > (leaving[step] ?? 0)) return step;
  }
  return steps;
}
