import type { EmbedderDriver } from '@pagefault/contracts';
import type { Setup } from '../case.js';
import { rejects } from '../check.js';
import { type Trial, trial, trialsOf } from '../trial.js';
import type { EmbedderInstance } from './instance.js';
import { meaningCase } from './meaning.js';
import { embedderCases } from './suite.js';

export interface EmbedderSetup extends Setup<EmbedderInstance> {
  /** A driver that was never opened; then its refusals before `open` are tested too. */
  unopened?(): EmbedderDriver;
  /** Whether a real model is behind it, so that paraphrases must be near. Default false: a double knows words alone. */
  readonly meaning?: boolean;
}

export function embedderTrials(setup: EmbedderSetup): Trial[] {
  const { unopened, meaning = false } = setup;
  return [
    ...trialsOf(setup, embedderCases),
    ...(meaning ? trialsOf(setup, [meaningCase]) : [trial(meaningCase.name, 'meaning', undefined)]),
    trial('lifecycle: it refuses to embed before open', 'unopened', unopened && (() => refuses(unopened()))),
  ];
}

async function refuses(driver: EmbedderDriver): Promise<void> {
  await rejects('E_NOT_OPEN', driver.embed(['hello']));
  await driver.close();
}
