import { z } from 'zod';

/** The options of embedders whose model may be any. */
export const EMBEDDER_OPTIONS = {
  queryPrefix: z
    .string()
    .max(1_000)
    .optional()
    .describe('Put before what is searched with, when the model was trained so: for example "query: ".'),
  documentPrefix: z
    .string()
    .max(1_000)
    .optional()
    .describe('Put before what is to be found, when the model was trained so: for example "passage: ".'),
  fingerprint: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe(
      'Names the weights, when one model id stands for several. Another one has everything indexed anew.',
    ),
} as const;
