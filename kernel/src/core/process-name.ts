import { PagefaultError } from '@pagefault/contracts';
import { PROCESS_NAME } from '../limits.js';
import { codePoints, isBlank, normaliseText } from './text.js';

/** The name as it is kept. Errors: `E_INVALID` for one that is blank, of several lines, or too long. */
export function checkProcessName(given: string): string {
  const name = normaliseText(given);
  const fault = faultOf(name);
  if (fault === undefined) return name;
  throw new PagefaultError('E_INVALID', `the name of a process ${fault}`, {
    hint: `give it one of 1 to ${PROCESS_NAME} visible characters on one line, or none: then it goes by its id`,
  });
}

function faultOf(name: string): string | undefined {
  if (isBlank(name)) return 'is blank';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return 'has line ends or control characters';
  const size = codePoints(name);
  return size > PROCESS_NAME ? `has ${size} characters` : undefined;
}
