/** The format for other languages: a JSON schema of one line. The order of lines is beyond it; `checkTrace` checks that. */
import { z } from 'zod';
import { traceLine } from './format.js';

/** JSON Schema, draft 2020-12. */
export function traceSchema(): Readonly<Record<string, unknown>> {
  return { title: 'a line of a Pagefault trace, version 1', ...z.toJSONSchema(traceLine) };
}
