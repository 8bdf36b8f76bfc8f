/** What a study was made of, so that it can be made again, and what it found, by hash, so that a difference shows. */
import { createHash } from 'node:crypto';
import { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import type { Study } from './study.js';
import { csvOf } from './table.js';

export const MANIFEST_VERSION = 1;
export const MANIFEST_FILE = 'manifest.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifest = z.strictObject({
  pagefault: z.literal('lab manifest'),
  v: z.literal(MANIFEST_VERSION),
  /** Of the program that made it. */
  program: z.string(),
  command: z.string(),
  /** What was asked for; paths are relative to the manifest's folder. */
  request: z.record(z.string(), z.unknown()),
  traces: z.array(z.strictObject({ id: z.string(), path: z.string(), sha256 })),
  policies: z.array(
    z.strictObject({
      name: z.string(),
      version: z.int(),
      /** Of a module of one's own: the file alone, not what it imports. */
      path: z.string().optional(),
      sha256: sha256.optional(),
      /** Of a scheme; policies by name have the parameters of their sources. */
      setup: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  setup: z.record(z.string(), z.unknown()),
  seed: z.number(),
  prices: z.strictObject({
    model: z.string(),
    asOf: z.string().optional(),
    rates: z.record(z.string(), z.unknown()),
  }),
  /** Of each table as CSV. */
  tables: z.record(z.string(), sha256),
  /** Of the folder, the manifest itself left out. */
  files: z.array(z.string()),
});

export type Manifest = z.output<typeof manifest>;

/** Errors: `E_INVALID` for what is none, or of another version. */
export function readManifest(text: string, file: string): Manifest {
  const parsed = manifest.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PagefaultError(
    'E_INVALID',
    `${file} is no manifest of the lab: field ${issue?.path.join('.') || 'pagefault'}: ${issue?.message}`,
    {
      hint: '`pagefault lab run TRACE --out DIR` writes one, as the other studies do',
    },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export function tableHashes({ tables }: Pick<Study, 'tables'>): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [table.name, hashOf(csvOf(table))]));
}

/** What is not as it was, in words; empty when all is. */
export function changesOf(
  before: Manifest,
  now: Pick<Manifest, 'traces' | 'policies' | 'prices' | 'program'>,
): readonly string[] {
  const traces = before.traces.flatMap(({ id, sha256: old }, at) =>
    now.traces[at]?.sha256 === old
      ? []
      : [
          `the trace ${id} has changed: its SHA-256 was ${short(old)}, and is ${short(now.traces[at]?.sha256)}`,
        ],
  );
  const policies = before.policies.flatMap((old, at) => policyChanges(old, now.policies[at]));
  const isPriced = JSON.stringify(before.prices) === JSON.stringify(now.prices);
  return [
    ...traces,
    ...policies,
    ...(isPriced
      ? []
      : [
          `the prices of ${before.prices.model} have changed: they were as of ${before.prices.asOf ?? 'no day'}, and are as of ${now.prices.asOf ?? 'no day'}`,
        ]),
    ...(before.program === now.program
      ? []
      : [`the program has changed: it was ${before.program}, and is ${now.program}`]),
  ];
}

type PolicyFacts = Manifest['policies'][number];

function policyChanges(old: PolicyFacts, now: PolicyFacts | undefined): readonly string[] {
  if (now === undefined) return [`the policy ${old.name} is missing`];
  if (old.sha256 !== now.sha256)
    return [
      `the policy ${old.name} has changed: the SHA-256 of its module was ${short(old.sha256)}, and is ${short(now.sha256)}`,
    ];
  if (old.version !== now.version)
    return [`the policy ${old.name} has changed: it was of version ${old.version}, and is of ${now.version}`];
  if (JSON.stringify(old.setup) !== JSON.stringify(now.setup))
    return [`the scheme ${old.name} has changed its settings`];
  return [];
}

const short = (hash: string | undefined) => (hash === undefined ? 'none' : `${hash.slice(0, 12)}…`);

/** Lines of CSV that differ, the first `most`, the old one above the new. */
export function differences(old: string, now: string, most = 5): readonly string[] {
  const [before, after] = [old.split('\n'), now.split('\n')];
  const rows = Array.from({ length: Math.max(before.length, after.length) }, (_, at) => at);
  const differing = rows.filter((at) => before[at] !== after[at]);
  const told = differing
    .slice(0, most)
    .flatMap((at) => [
      `row ${at} was ${before[at] ?? 'not there'}`,
      `row ${at} is  ${after[at] ?? 'not there'}`,
    ]);
  return differing.length <= most ? told : [...told, `and ${differing.length - most} rows more`];
}
