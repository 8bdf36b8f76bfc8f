import type { EmbedderDriver } from '@pagefault/contracts';
import { describe, it } from 'vitest';
import { runCase, type Setup } from './case.js';
import { rejects } from './check.js';
import type { EmbedderInstance } from './embedder/instance.js';
import { meaningCase } from './embedder/meaning.js';
import { embedderCases } from './embedder/suite.js';

export interface EmbedderSetup extends Setup<EmbedderInstance> {
  /** A driver that was never opened; then its refusals before `open` are tested too. */
  unopened?(): EmbedderDriver;
  /** Whether a real model is behind it, so that paraphrases must be near. Default false: a double knows words alone. */
  readonly meaning?: boolean;
}

/** Registers the suite of embedder drivers as tests. */
export function conformEmbedder(setup: EmbedderSetup): void {
  const { name, test = it, unopened, meaning = false } = setup;
  const cases = meaning ? [...embedderCases, meaningCase] : embedderCases;
  describe(`${name} keeps the contract of embedder drivers`, () => {
    for (const each of cases) test(each.name, () => runCase(setup, each));
    if (unopened) test('lifecycle: it refuses to embed before open', () => refuses(unopened()));
  });
}

async function refuses(driver: EmbedderDriver): Promise<void> {
  await rejects('E_NOT_OPEN', driver.embed(['hello']));
  await driver.close();
}
