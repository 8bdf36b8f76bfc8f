/** A study as a folder: rows, drawings, one page that holds everything, and a manifest from which it can be made again. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import {
  csvOf,
  type Manifest,
  MANIFEST_FILE,
  MANIFEST_VERSION,
  pageOf,
  PAGING_DEFAULTS,
  readManifest,
  type Study,
  svgFile,
  tableHashes,
} from '@pagefault/lab';
import { programVersion } from '../shared/version.js';
import { type Origin, pathFrom, requestFrom } from './origin.js';
import { studyForPrograms } from './print-study.js';

const REPORT = 'report.html';
const ROWS = 'study.json';

/** Errors: `E_CONFIG` for a folder that holds anything but an earlier study, and one that cannot be written. */
export async function checkFolder(folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new PagefaultError('E_CONFIG', `--out ${folder} is no folder that can be used: ${error.message}`, {
      hint: 'name one that is not there yet',
      cause: error,
    });
  });
  const ours = new Set(there.includes(MANIFEST_FILE) ? await filesOf(join(folder, MANIFEST_FILE)) : []);
  const others = there.filter((name) => !ours.has(name));
  if (others.length === 0) return;
  throw new PagefaultError(
    'E_CONFIG',
    `--out ${folder} holds ${others.length} other file${others.length === 1 ? '' : 's'}, such as ${others[0]}`,
    { hint: 'name a folder that is not there yet, is empty, or holds an earlier study, which is replaced' },
  );
}

async function filesOf(file: string): Promise<readonly string[]> {
  try {
    return [MANIFEST_FILE, ...readManifest(await readFile(file, 'utf8'), file).files];
  } catch {
    // Some other program's manifest: its file is one of the others.
    return [];
  }
}

/** Whole or not at all: it is written beside the folder, which is then replaced. What was written, by name. */
export async function writeStudy(
  folder: string,
  study: Study,
  origin: Origin,
  cwd: string,
): Promise<readonly string[]> {
  await checkFolder(folder);
  const files = await filesOfStudy(study, origin);
  const told = manifestOf(study, origin, folder, cwd, [...files.keys(), REPORT]);
  files.set(REPORT, await pageOf(study, told));
  files.set(MANIFEST_FILE, `${JSON.stringify(told, undefined, 2)}\n`);
  const draft = `${folder}.${randomUUID()}`;
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(draft);
    for (const [name, text] of files) await writeFile(join(draft, name), text);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw new PagefaultError('E_CONFIG', `--out ${folder} cannot be written`, {
      hint: 'see that there is room, and that the folder may be written',
      cause,
    });
  }
  return [...files.keys()];
}

async function filesOfStudy(study: Study, { request, setup, prices }: Origin): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const table of study.tables) files.set(`${table.name}.csv`, `${csvOf(table)}\n`);
  const context = { prices: { model: request.setup.prices, ...prices }, setup };
  files.set(ROWS, `${JSON.stringify(studyForPrograms(study, context), undefined, 1)}\n`);
  for (const chart of study.charts) files.set(`${chart.name}.svg`, await svgFile(chart));
  return files;
}

export function manifestOf(
  study: Study,
  { request, traces, policies, setup, prices }: Origin,
  folder: string,
  cwd: string,
  files: readonly string[],
): Manifest {
  const { asOf, ...rates } = prices;
  return {
    pagefault: 'lab manifest',
    v: MANIFEST_VERSION,
    program: programVersion(),
    command: study.command,
    request: { ...requestFrom(request, cwd, folder) },
    traces: traces.map((trace) => ({ ...trace, path: pathFrom(folder, trace.path) })),
    policies: policies.map(({ path, ...policy }) => ({
      ...policy,
      ...(path !== undefined && { path: pathFrom(folder, path) }),
    })),
    setup: wholeSetup(setup),
    seed: setup.seed ?? PAGING_DEFAULTS.seed,
    prices: { model: request.setup.prices, ...(asOf !== undefined && { asOf }), rates },
    tables: tableHashes(study),
    files: [...files],
  };
}

/** With its defaults; what is without a limit is left out, for JSON knows no such number. */
function wholeSetup(setup: Origin['setup']): Manifest['setup'] {
  return Object.fromEntries(
    Object.entries({ ...PAGING_DEFAULTS, ...setup }).filter(([, value]) => value !== Infinity),
  );
}
