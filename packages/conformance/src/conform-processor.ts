import type { ProcessorDriver } from '@pagefault/contracts';
import { describe, it } from 'vitest';
import { runCase, type Setup } from './case.js';
import { rejects } from './check.js';
import type { ProcessorInstance } from './processor/instance.js';
import { collect, hello } from './processor/samples.js';
import { processorCases } from './processor/suite.js';

export interface ProcessorSetup extends Setup<ProcessorInstance> {
  /** A driver that was never opened; then its refusals before `open` are tested too. */
  unopened?(): ProcessorDriver;
}

/** Registers the suite of processor drivers as tests. */
export function conformProcessor(setup: ProcessorSetup): void {
  const { name, test = it, unopened } = setup;
  describe(`${name} keeps the contract of processor drivers`, () => {
    for (const each of processorCases) test(each.name, () => runCase(setup, each));
    if (unopened) test('lifecycle: it refuses to infer before open', () => refuses(unopened()));
  });
}

async function refuses(driver: ProcessorDriver): Promise<void> {
  await rejects('E_NOT_OPEN', collect(driver.infer(hello)));
  await driver.close();
}
