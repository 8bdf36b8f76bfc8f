import type { RecallDriver } from '@pagefault/contracts';
import { describe, it } from 'vitest';
import { runCase, type Setup } from './case.js';
import { rejects } from './check.js';
import type { RecallInstance } from './recall/instance.js';
import { modelCase, type ModelOptions } from './recall/model.js';
import { operations } from './recall/operations.js';
import { recallCases } from './recall/suite.js';

export interface RecallSetup extends Setup<RecallInstance> {
  /** A driver that was never opened; then its refusals before `open` are tested too. */
  unopened?(): RecallDriver;
  /** A driver known to be right; then random operations must give equal results on both. */
  reference?(): RecallDriver;
  readonly model?: ModelOptions;
}

/** Registers the suite of recall drivers as tests. */
export function conformRecall(setup: RecallSetup): void {
  const { name, test = it, unopened, reference } = setup;
  const cases = reference ? [...recallCases, modelCase(reference, setup.model)] : recallCases;
  describe(`${name} keeps the contract of recall drivers`, () => {
    for (const each of cases) test(each.name, () => runCase(setup, each));
    if (unopened) test('lifecycle: every operation is refused before open', () => refusesAll(unopened()));
  });
}

async function refusesAll(driver: RecallDriver): Promise<void> {
  for (const work of operations(driver)) await rejects('E_NOT_OPEN', work());
  await driver.close();
}
