import type { Trial } from '../trial.js';
import { leftOpen, openNow } from './left-open.js';
import type { Suite } from './only.js';
import { attempt, probe } from './probe.js';
import { Seen } from './seen.js';
import { type Strays, watchStrays } from './strays.js';
import { Hanging, within } from './within.js';

export interface Outcome {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  readonly took: number;
  /** Why it failed or was skipped. */
  readonly why?: unknown;
}

/**
 * Runs a suite case by case. A case that does not end within `limit` milliseconds has failed.
 * Errors: `E_CONFIG` when the initializer itself fails.
 */
export async function* execute(
  { initializer, trials, isWhole }: Suite,
  limit: number,
): AsyncGenerator<Outcome> {
  const before = openNow();
  let hangs = false;
  await attempt(initializer, 'beforeAll', limit, () => initializer.beforeAll?.());
  const strays = watchStrays();
  try {
    await probe(initializer, limit);
    for (const trial of trials) {
      const outcome = await runOne(trial, limit, strays);
      hangs ||= outcome.why instanceof Hanging;
      yield outcome;
    }
  } finally {
    strays.end();
    await attempt(initializer, 'afterAll', limit, () => initializer.afterAll?.());
  }
  if (isWhole) yield await ending(before, hangs);
}

async function runOne({ name, lacks, run }: Trial, limit: number, strays: Strays): Promise<Outcome> {
  if (lacks !== undefined) return { name, state: 'skipped', took: 0, why: lacks };
  const start = performance.now();
  const took = (): number => Math.round(performance.now() - start);
  try {
    const reason = await within(limit, run());
    await strays.check();
    if (reason !== undefined) return { name, state: 'skipped', took: took(), why: reason };
    return { name, state: 'passed', took: took() };
  } catch (why) {
    return { name, state: 'failed', took: took(), why };
  }
}

const ENDING = 'lifecycle: after the last close nothing keeps the program running';

async function ending(before: readonly string[], hangs: boolean): Promise<Outcome> {
  if (hangs) return { name: ENDING, state: 'skipped', took: 0, why: 'a case above did not end' };
  const start = performance.now();
  const left = await leftOpen(before);
  const took = Math.round(performance.now() - start);
  if (left.length === 0) return { name: ENDING, state: 'passed', took };
  const why = new Seen(
    `still open: ${left.join(', ')}; close it in \`close\`; if it is of the initializer itself, in \`destroy\` or \`afterAll\``,
  );
  return { name: ENDING, state: 'failed', took, why };
}
