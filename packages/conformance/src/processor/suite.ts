import { counting } from './counting.js';
import { failures } from './failures.js';
import type { ProcessorCase } from './instance.js';
import { outcomes } from './outcomes.js';
import { stopping } from './stopping.js';
import { stream } from './stream.js';

/** Every promise of `ProcessorDriver`. */
export const processorCases: readonly ProcessorCase[] = [
  ...stopping,
  ...stream,
  ...outcomes,
  ...counting,
  ...failures,
];
