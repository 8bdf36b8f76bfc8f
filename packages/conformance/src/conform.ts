/** The suites as tests of vitest. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type ArchivalSetup, archivalTrials } from './archival/trials.js';
import type { Setup } from './case.js';
import { type EmbedderSetup, embedderTrials } from './embedder/trials.js';
import { type ProcessorSetup, processorTrials } from './processor/trials.js';
import { type RecallSetup, recallTrials } from './recall/trials.js';
import type { Trial } from './trial.js';

/** Registers the suite of recall drivers as tests. */
export function conformRecall(setup: RecallSetup): void {
  register('recall', setup, recallTrials(setup));
}

/** Registers the suite of archival drivers as tests. */
export function conformArchival(setup: ArchivalSetup): void {
  register('archival', setup, archivalTrials(setup));
}

/** Registers the suite of embedder drivers as tests. */
export function conformEmbedder(setup: EmbedderSetup): void {
  register('embedder', setup, embedderTrials(setup));
}

/** Registers the suite of processor drivers as tests. */
export function conformProcessor(setup: ProcessorSetup): void {
  register('processor', setup, processorTrials(setup));
}

function register<Instance>(kind: string, setup: Setup<Instance>, trials: readonly Trial[]): void {
  const { name, test = it } = setup;
  describe(`${name} keeps the contract of ${kind} drivers`, () => {
    if (setup.beforeAll) beforeAll(async () => setup.beforeAll?.());
    if (setup.afterAll) afterAll(async () => setup.afterAll?.());
    for (const { lacks, ...each } of trials)
      if (lacks === undefined) test(each.name, async () => void (await each.run()));
  });
}
