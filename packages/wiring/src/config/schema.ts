import { checkZone, POLICIES } from '@pagefault/kernel';
import { z } from 'zod';

/** A whole number; `"${VAR}"` gives digits as text, and is as good. */
const whole = (min: number, max: number) =>
  z.preprocess((value) => (isDigits(value) ? Number(value) : value), z.int().min(min).max(max));

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^\d+$/.test(value);
}

function isZone(zone: string): boolean {
  try {
    return checkZone(zone) !== '';
  } catch {
    return false; // The schema's own words say what is expected.
  }
}

const named = z.looseObject({ driver: z.string().min(1) });
const choice = z.union([z.string().min(1), named], {
  error: 'expected a name, or an object with "driver" and its options',
});
const name = z.string().min(1);

const block = z.strictObject({
  value: z.string().default('').describe('What the block says at first.'),
  // The same bounds as the kernel's `blockCharacters`.
  limit: whole(1, 1_000_000).optional().describe('Code points; default by limits.blockCharacters.'),
  readOnly: z.boolean().optional().describe('Whether the model may not edit it.'),
});

/** 8,192 tokens is the window of the MemGPT paper (arXiv 2310.08560); below 512 no program fits. */
export const WINDOW = { default: 8192, min: 512, max: 100_000_000 } as const;

/** What a configuration file may say. The names of drivers, and limits, are checked apart. */
export const fileSchema = z.strictObject({
  recall: choice
    .default('pglite://./.pagefault')
    .describe('memory, pglite://FOLDER, postgres://…, or an object.'),
  archival: choice
    .optional()
    .describe(
      'pgvector (in the database of recall), qdrant, qdrant://host:port, memory, none, or an object.',
    ),
  embedder: choice
    .default('local')
    .describe(
      'local, openai or none; or an object: {"driver": "local", "model": FOLDER or hub id} runs a sentence transformer of yours.',
    ),
  processor: z
    .union([z.string().min(1), named, z.array(z.string().min(1)).min(1)], {
      error:
        'expected a name, or an object with "driver" and its options, or a list of names in `processors`',
    })
    .optional()
    .describe(
      'openai, anthropic, reflex or scripted; or a name in `processors`, or their order of fallback.',
    ),
  processors: z
    .record(z.string().min(1), choice)
    .default({})
    .describe('Several, by names of yours: for processes, for summaries, and to fall back on.'),
  summariser: z
    .union([z.string().min(1), z.strictObject({ processor: z.string().min(1) })], {
      error: 'expected a name, or { "processor": a name in `processors` }',
    })
    .default('recursive')
    .describe(
      'recursive (by the processor of the process), { "processor": NAME }, or extractive (no model).',
    ),
  policy: name
    .default('fifo')
    .describe(
      `What is evicted first: ${Object.keys(POLICIES).join(', ')}; or the path of a module of yours, or \`exec:\` and the command of a program.`,
    ),
  layout: name
    .default('stable')
    .describe(
      'Main context on the wire: stable (the prefix changes at a reclaim only), classic (the paper) or user-last (small models).',
    ),
  dialect: name
    .default('memgpt')
    .describe('The function protocol: memgpt (speaks by a function) or native (plain text is the answer).'),
  syscalls: z
    .array(name)
    .optional()
    .describe("Names of the kernel's functions that the model is offered; default all."),
  zone: z
    .string()
    .refine(isZone, 'expected an IANA time zone such as Europe/Berlin, or UTC')
    .default('UTC')
    .describe("The user's time zone: of new processes."),
  window: whole(WINDOW.min, WINDOW.max)
    .default(WINDOW.default)
    .describe("Tokens; caps the processor's own window."),
  limits: z.record(z.string(), z.unknown()).default({}).describe("The kernel's limits, by name."),
  program: z
    .strictObject({
      instructions: z.string().min(1).optional().describe('System instructions of new processes.'),
      blocks: z.record(z.string().min(1), block).optional().describe('Blocks of new processes, by name.'),
    })
    .default({}),
  record: z.string().min(1).optional().describe('Folder for recordings.'),
});

/** What a variable of the environment may say. */
export const serverAddress = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });

export type FileSettings = z.output<typeof fileSchema>;
