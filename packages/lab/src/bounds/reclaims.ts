/** When reclaims must come, whatever the policy: what is born stays until the next one. */
import type { Tokens } from '@pagefault/contracts';
import type { Timeline } from './timeline.js';

/** The same for every policy, for nothing has left until then and nothing was read in. The number of steps when there is none. */
export function firstReclaimOf(line: Timeline): number {
  return reclaimBy(line, 0);
}

/** For each step, the last at which the first reclaim after it may come; the number of steps when none need come. */
export function latestReclaims(line: Timeline): Int32Array {
  const first = firstReclaimOf(line);
  return Int32Array.from({ length: line.steps }, (_, step) =>
    step < first ? first : reclaimBy(line, step, step + 1),
  );
}

/** The first step from `from` on at which what was born since `since` is more than a request may hold. */
function reclaimBy({ born, fixed, steps, threshold }: Timeline, since: number, from = since): number {
  let tokens: Tokens = 0;
  for (let step = since; step < steps; step++) {
    tokens += born[step] ?? 0;
    if (step >= from && tokens + (fixed[step] ?? 0) > (threshold[step] ?? 0)) return step;
  }
  return steps;
}
