import { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import { SPEECH } from '../core/dialect/dialect.js';
import { isBlank, normaliseText } from '../core/text.js';
import { defineSyscall } from './syscall.js';

export const sendMessage = defineSyscall({
  name: SPEECH,
  help: 'Says something to the user. The only way to be heard.',
  parameters: z.object({ message: z.string().describe('what the user shall read') }),
  run: async ({ message }) => {
    const answer = normaliseText(message).trim();
    if (isBlank(answer))
      throw new PagefaultError('E_INVALID', 'The message is empty; write what the user shall read.');
    return { text: 'Sent.', answer };
  },
});
