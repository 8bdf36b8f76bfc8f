import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hasCode, PagefaultError } from '@pagefault/contracts';
import {
  changesOf,
  csvOf,
  differences,
  hashOf,
  type Manifest,
  readManifest,
  type Study,
  type Table,
} from '@pagefault/lab';
import type { Context } from '../shared/context.js';
import { EXIT } from '../shared/io.js';
import { unlessMissing } from '../shared/missing.js';
import { createPrinter } from '../shared/print.js';
import { requestAt } from './origin.js';
import type { Request } from './request.js';
import { conduct } from './show-study.js';
import { manifestOf } from './write-study.js';

export interface AgainOptions {
  readonly trace?: readonly string[];
  readonly json?: boolean;
  readonly jobs?: number;
}

/** Ends with 1 when a row differs. Errors: `E_NOT_FOUND` and `E_INVALID` of the manifest; those of the study. */
export async function again(
  context: Context,
  file: string,
  { trace, json = false, jobs }: AgainOptions,
): Promise<void> {
  const path = resolve(context.io.cwd, file);
  const before = readManifest(await textOf(path), file);
  const folder = dirname(path);
  // What a manifest of this version asks for is what a command of it gave.
  const request = requestAt(before.request as unknown as Request, folder);
  const traces = trace?.map((one) => resolve(context.io.cwd, one)) ?? request.traces;
  const { study, origin } = await conduct(context, { ...request, traces }, jobs).catch(whereNow);
  const now = manifestOf(study, origin, folder, folder, before.files);
  const changes = changesOf(before, now);
  const different = await Promise.all(study.tables.map((table) => differenceOf(table, before, folder)));
  tell(context, study, changes, different.flat(), json);
}

function whereNow(error: unknown): never {
  if (!hasCode(error, 'E_NOT_FOUND')) throw error;
  throw new PagefaultError('E_NOT_FOUND', error.message, {
    hint: 'if it was moved, `--trace FILE` says where it is now',
    cause: error,
  });
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new PagefaultError('E_NOT_FOUND', `${path} cannot be read`, {
      hint: 'name the manifest.json of a folder that --out wrote',
      cause,
    });
  }
}

/** In words; empty for a table that is the same. */
async function differenceOf(table: Table, before: Manifest, folder: string): Promise<readonly string[]> {
  const csv = csvOf(table);
  if (before.tables[table.name] === hashOf(csv)) return [];
  const old = await readFile(join(folder, `${table.name}.csv`), 'utf8').catch(unlessMissing);
  if (old === undefined)
    return [`${table.name}: the rows are others; ${table.name}.csv is no longer there to say which`];
  return differences(old.trimEnd(), csv).map((line) => `${table.name}: ${line}`);
}

function tell(
  { io, finish }: Context,
  { tables }: Study,
  changes: readonly string[],
  different: readonly string[],
  json: boolean,
): void {
  const printer = createPrinter(io);
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const isSame = different.length === 0;
  if (json) printer.json({ same: isSame, rows, changes, differences: different });
  else {
    for (const change of changes) printer.line(change);
    printer.line(isSame ? `the same: ${rows} rows` : ['the rows are not the same:', ...different].join('\n'));
  }
  if (!isSame) finish(EXIT.failure);
}
