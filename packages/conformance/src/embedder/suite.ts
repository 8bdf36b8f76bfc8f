import type { EmbedderCase } from './instance.js';
import { shape } from './shape.js';
import { stopping } from './stopping.js';
import { texts } from './texts.js';

/** Every promise of `EmbedderDriver`. */
export const embedderCases: readonly EmbedderCase[] = [...shape, ...texts, ...stopping];
