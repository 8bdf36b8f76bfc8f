import { z } from 'zod';

/** A count of tokens as providers report it; one that is left out is none. */
export const billedTokens = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
  .nullish()
  .transform((value) => value ?? 0);
