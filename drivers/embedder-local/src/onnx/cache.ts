import { PagefaultError } from '@pagefault/contracts';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DRIVER } from '../model/facts.js';
import type { WarningListener } from '../options.js';

/**
 * The cache folder: the option, else PAGEFAULT_CACHE_DIR, else pagefault under XDG_CACHE_HOME, else under
 * ~/.cache. It can be deleted at any time.
 */
export function cacheFolder(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return (
    option ??
    (env['PAGEFAULT_CACHE_DIR'] || join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pagefault'))
  );
}

/**
 * The bytes kept in `folder` under `stem`, or what `build` makes, which is then kept. The file's name ends in the
 * SHA-256 of its content: a half-written or damaged file does not match its name, is removed and built again.
 * A folder that cannot be used costs the building at each start and is told to `onWarning`.
 */
export async function cached(
  folder: string,
  stem: string,
  build: () => Promise<Uint8Array>,
  onWarning: WarningListener,
): Promise<Uint8Array> {
  const warn = (cause: unknown): void => onWarning(unusable(folder, cause));
  let usable = true;
  const kept = await readKept(folder, stem).catch((cause: unknown) => {
    usable = false;
    warn(cause);
  });
  if (kept) return kept;
  const bytes = await build();
  if (usable) await keep(folder, stem, bytes).catch(warn);
  return bytes;
}

async function readKept(folder: string, stem: string): Promise<Uint8Array | undefined> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  for (const name of names.filter((each) => each.startsWith(`${stem}.`) && each.endsWith('.onnx'))) {
    const bytes = await readFile(join(folder, name));
    if (name === fileName(stem, bytes)) return bytes;
    await rm(join(folder, name), { force: true });
  }
  return undefined;
}

// A folder of its own, then a rename: other processes see the whole file or none, and may write at the same time.
async function keep(folder: string, stem: string, bytes: Uint8Array): Promise<void> {
  const workshop = await mkdtemp(join(folder, '.building-'));
  try {
    await writeFile(join(workshop, 'graph'), bytes);
    await rename(join(workshop, 'graph'), join(folder, fileName(stem, bytes)));
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

function fileName(stem: string, bytes: Uint8Array): string {
  return `${stem}.${createHash('sha256').update(bytes).digest('hex')}.onnx`;
}

function unusable(folder: string, cause: unknown): PagefaultError {
  return new PagefaultError('E_STORAGE', `${DRIVER}: the cache folder ${folder} cannot be used`, {
    driver: DRIVER,
    hint: 'set cacheDir or PAGEFAULT_CACHE_DIR to a folder that can be written; each start is slower without',
    cause,
  });
}
