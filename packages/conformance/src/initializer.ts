import { type ArchivalSetup, archivalTrials } from './archival/trials.js';
import { type EmbedderSetup, embedderTrials } from './embedder/trials.js';
import { type ProcessorSetup, processorTrials } from './processor/trials.js';
import { type RecallSetup, recallTrials } from './recall/trials.js';
import type { Trial } from './trial.js';

/** What a file exports by default for `pagefault-conform`, one or a list of them: which suite, and how it gets its drivers. */
export type Initializer =
  | ({ readonly kind: 'recall' } & RecallSetup)
  | ({ readonly kind: 'archival' } & ArchivalSetup)
  | ({ readonly kind: 'embedder' } & EmbedderSetup)
  | ({ readonly kind: 'processor' } & ProcessorSetup);

export type SuiteKind = Initializer['kind'];

export const SUITE_KINDS: readonly SuiteKind[] = ['recall', 'archival', 'embedder', 'processor'];

/** All of the suite, in order; nothing is run yet. */
export function trialsFor(initializer: Initializer): Trial[] {
  switch (initializer.kind) {
    case 'recall':
      return recallTrials(initializer);
    case 'archival':
      return archivalTrials(initializer);
    case 'embedder':
      return embedderTrials(initializer);
    case 'processor':
      return processorTrials(initializer);
  }
}
