import { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import { defineSyscall } from './syscall.js';
import { readWindow, windowParameters } from './window.js';

export const pageIn = defineSyscall({
  name: 'page_in',
  help: 'Reads the text behind a handle (m12, p…, d…), a window at a time.',
  parameters: z.object({
    handle: z.string().describe('as shown in a stub or a search result'),
    ...windowParameters,
  }),
  run: async ({ handle, ...window }, context) => {
    const found = await context.readHandle(handle.trim());
    if (!found)
      throw new PagefaultError('E_NOT_FOUND', `There is nothing under the handle "${handle.slice(0, 80)}".`);
    return readWindow(found, window, context);
  },
});
