import type { ArchivalDriver } from '@pagefault/contracts';
import type { Setup } from '../case.js';
import { rejects } from '../check.js';
import { type Trial, trial, trialsOf } from '../trial.js';
import type { ArchivalInstance } from './instance.js';
import { operations } from './operations.js';
import { archivalCases } from './suite.js';

export interface ArchivalSetup extends Setup<ArchivalInstance> {
  /** A driver that was never opened; then its refusals before `open` are tested too. */
  unopened?(): ArchivalDriver;
}

export function archivalTrials(setup: ArchivalSetup): Trial[] {
  const { unopened } = setup;
  return [
    ...trialsOf(setup, archivalCases),
    trial(
      'lifecycle: every operation is refused before open',
      'unopened',
      unopened && (() => refusesAll(unopened())),
    ),
  ];
}

async function refusesAll(driver: ArchivalDriver): Promise<void> {
  for (const work of operations(driver, driver.supports.dimension)) await rejects('E_NOT_OPEN', work());
  await driver.close();
}
