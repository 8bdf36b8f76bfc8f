import type { RecallDriver } from '@pagefault/contracts';
import type { Setup } from '../case.js';
import { rejects } from '../check.js';
import { type Trial, trial, trialsOf } from '../trial.js';
import type { RecallInstance } from './instance.js';
import { MODEL_CASE, modelCase, type ModelOptions } from './model.js';
import { operations } from './operations.js';
import { recallCases } from './suite.js';

export interface RecallSetup extends Setup<RecallInstance> {
  /** A driver that was never opened; then its refusals before `open` are tested too. */
  unopened?(): RecallDriver;
  /** A driver known to be right; then random operations must give equal results on both. */
  reference?(): RecallDriver;
  readonly model?: ModelOptions;
}

export function recallTrials(setup: RecallSetup): Trial[] {
  const { unopened, reference, model } = setup;
  return [
    ...trialsOf(setup, recallCases),
    ...(reference
      ? trialsOf(setup, [modelCase(reference, model)])
      : [trial(MODEL_CASE, 'reference', undefined)]),
    trial(
      'lifecycle: every operation is refused before open',
      'unopened',
      unopened && (() => refusesAll(unopened())),
    ),
  ];
}

async function refusesAll(driver: RecallDriver): Promise<void> {
  for (const work of operations(driver)) await rejects('E_NOT_OPEN', work());
  await driver.close();
}
