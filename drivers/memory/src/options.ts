import { z } from 'zod';

export const memoryRecallOptions = z.strictObject({
  now: z
    .custom<() => number>(
      (value) => typeof value === 'function',
      'must be a function that returns milliseconds',
    )
    .default(() => Date.now)
    .describe(
      'The clock of leases, in milliseconds since 1970. Default: the machine’s; tests hand in their own.',
    ),
});

export const memoryArchivalOptions = z.strictObject({
  dimension: z
    .int()
    .min(1)
    // Four times the largest embedding that providers sell today (4,096): more is a mistake in the configuration.
    .max(16_384)
    .describe('The length of every vector: the embedder’s dimension.'),
});

export type MemoryRecallOptions = z.input<typeof memoryRecallOptions>;
export type MemoryArchivalOptions = z.input<typeof memoryArchivalOptions>;
