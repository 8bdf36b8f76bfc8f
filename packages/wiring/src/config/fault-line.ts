import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** Milliseconds. Checking a file takes a tenth of a second; who waits longer is better told without the line. */
const CHECK_LIMIT = 10_000;

/** The line of the module at `path` that could not be read or run, as far as Node tells it. */
export async function faultLine(path: string, error: unknown): Promise<number | undefined> {
  const stack = error instanceof Error ? error.stack : undefined;
  const line = lineIn(stack ?? '', path);
  if (line !== undefined || !(error instanceof SyntaxError)) return line;
  return lineIn(await checked(path), path);
}

function lineIn(text: string, path: string): number | undefined {
  for (const place of [pathToFileURL(path).href, path]) {
    const [, ...after] = text.split(`${place}:`);
    const line = /^\d+/.exec(after[0] ?? '')?.[0];
    if (line !== undefined) return Number(line);
  }
  return undefined;
}

// A syntax error of an imported module does not say where it is; the same error of `node --check` does.
// Whatever else becomes of the check costs the line only, so its error is not told.
function checked(path: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', path], { timeout: CHECK_LIMIT }, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
}
