/** Embedders that break one rule each, as real ones do. */
import type { EmbedderDriver } from '@pagefault/contracts';
import type { Broken } from '../broken.js';
import { calls } from './calls.js';
import { vectors } from './vectors.js';

export const brokenEmbedders: readonly Broken<EmbedderDriver>[] = [...vectors, ...calls];
