import { PagefaultError } from '@pagefault/contracts';

/** Parses JSON. Errors: `E_CONFIG` with line and column, and none of the text: it may hold a secret. */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const before = text.slice(0, positionOf(text, error)).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new PagefaultError('E_CONFIG', `${file}: not JSON at ${place}`, {
      hint: 'JSON has no comments and no comma after the last item; a .mjs file may have both',
      // The engine's own message quotes the text around the fault.
      cause: new SyntaxError(`not JSON at ${place}`),
    });
  }
}

function positionOf(text: string, error: unknown): number {
  const stated = /at position (\d+)/.exec(messageOf(error))?.[1];
  if (stated !== undefined) return Number(stated);
  return isUnexpectedToken(text) ? shortestBroken(text) - 1 : text.length;
}

// The engine names no position for an unexpected token. All texts that reach past it are broken in this way, and none before.
function shortestBroken(text: string): number {
  let whole = 0;
  let broken = text.length;
  while (whole + 1 < broken) {
    const middle = (whole + broken) >> 1;
    if (isUnexpectedToken(text.slice(0, middle))) broken = middle;
    else whole = middle;
  }
  return broken;
}

function isUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return messageOf(error).startsWith('Unexpected token');
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
