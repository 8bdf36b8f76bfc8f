import { PagefaultError } from '@pagefault/contracts';

/** What stands before the command of a policy that is a program of its own. */
const PREFIX = 'exec:';

export function isPolicyCommand(policy: string): boolean {
  return policy.startsWith(PREFIX);
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Words apart by blanks; quotes, single or double, hold blanks together. No shell reads it, so nothing in it is expanded.
 * Errors: `E_CONFIG` for no command, and for a quote that does not end.
 */
export function readCommand(policy: string): Command {
  const text = policy.slice(PREFIX.length);
  const words = [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
  const [file, ...args] = words;
  const unquoted = text.replaceAll(/"[^"]*"|'[^']*'/g, '');
  if (file !== undefined && file !== '' && !/["']/.test(unquoted)) return { file, args };
  throw new PagefaultError(
    'E_CONFIG',
    `policy "${policy}": ${file === undefined ? 'there is no command' : 'a quote does not end'}`,
    {
      hint: 'write it as `exec:python3 my_policy.py`',
    },
  );
}
