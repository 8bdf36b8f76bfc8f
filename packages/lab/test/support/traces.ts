import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Traces are not part of this repository: `PAGEFAULT_TRACES`, else `shared/traces` beside the checkout. */
export const TRACES =
  process.env['PAGEFAULT_TRACES'] ?? fileURLToPath(new URL('../../../../../shared/traces', import.meta.url));

/** The path of a file of traces; a test without it is skipped, and says so. */
export function traceFile(path: string, skip: (why: string) => never): string {
  const file = join(TRACES, path);
  if (!existsSync(file)) skip(`there is no ${path} in the folder of traces; set PAGEFAULT_TRACES`);
  return file;
}

/** Data sets stand beside the traces: `PAGEFAULT_DATA`, else `shared/data`. */
export const DATA =
  process.env['PAGEFAULT_DATA'] ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

export function dataFile(path: string, skip: (why: string) => never): string {
  const file = join(DATA, path);
  if (!existsSync(file)) skip(`there is no ${path} in the folder of data; set PAGEFAULT_DATA`);
  return file;
}
