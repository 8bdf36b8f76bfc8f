import type { ProcessorDriver } from '@pagefault/contracts';
import type { Setup } from '../case.js';
import { rejects } from '../check.js';
import { type Trial, trial, trialsOf } from '../trial.js';
import type { ProcessorInstance } from './instance.js';
import { collect, hello } from './samples.js';
import { processorCases } from './suite.js';

export interface ProcessorSetup extends Setup<ProcessorInstance> {
  /** A driver that was never opened; then its refusals before `open` are tested too. */
  unopened?(): ProcessorDriver;
}

export function processorTrials(setup: ProcessorSetup): Trial[] {
  const { unopened } = setup;
  return [
    ...trialsOf(setup, processorCases),
    trial('lifecycle: it refuses to infer before open', 'unopened', unopened && (() => refuses(unopened()))),
  ];
}

async function refuses(driver: ProcessorDriver): Promise<void> {
  await rejects('E_NOT_OPEN', collect(driver.infer(hello)));
  await driver.close();
}
