import { coldCacheWindow } from './cold-cache-window.js';
import { contextEditing } from './context-editing.js';
import { maskAndSummarise } from './mask-and-summarise.js';
import { memgptQueue } from './memgpt-queue.js';
import { observationMasking } from './observation-masking.js';
import { ageSizeTombstone, faultPinTombstone } from './pichay.js';
import type { Scheme } from './scheme.js';
import { thresholdCompaction } from './threshold-compaction.js';

export const SCHEMES: readonly Scheme[] = [
  memgptQueue,
  coldCacheWindow,
  thresholdCompaction,
  observationMasking,
  maskAndSummarise,
  contextEditing,
  ageSizeTombstone,
  faultPinTombstone,
];

export function findScheme(name: string): Scheme | undefined {
  return SCHEMES.find((scheme) => scheme.name === name);
}
