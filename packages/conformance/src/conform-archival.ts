import type { ArchivalDriver } from '@pagefault/contracts';
import { describe, it } from 'vitest';
import type { ArchivalInstance } from './archival/instance.js';
import { operations } from './archival/operations.js';
import { archivalCases } from './archival/suite.js';
import { runCase, type Setup } from './case.js';
import { rejects } from './check.js';

export interface ArchivalSetup extends Setup<ArchivalInstance> {
  /** A driver that was never opened; then its refusals before `open` are tested too. */
  unopened?(): ArchivalDriver;
}

/** Registers the suite of archival drivers as tests. */
export function conformArchival(setup: ArchivalSetup): void {
  const { name, test = it, unopened } = setup;
  describe(`${name} keeps the contract of archival drivers`, () => {
    for (const each of archivalCases) test(each.name, () => runCase(setup, each));
    if (unopened) test('lifecycle: every operation is refused before open', () => refusesAll(unopened()));
  });
}

async function refusesAll(driver: ArchivalDriver): Promise<void> {
  for (const work of operations(driver, driver.supports.dimension)) await rejects('E_NOT_OPEN', work());
  await driver.close();
}
