import { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import { codePoints, isBlank, normaliseText } from '../core/text.js';
import { defineSyscall } from './syscall.js';

export const archivalMemoryInsert = defineSyscall({
  name: 'archival_memory_insert',
  help: 'Stores a note in archival storage, where it can be searched but is not in view.',
  parameters: z.object({ content: z.string().min(1).describe('a self-contained note') }),
  run: async ({ content }, context) => {
    const text = normaliseText(content).trim();
    if (isBlank(text)) throw new PagefaultError('E_INVALID', 'The note is empty.');
    const most = context.limits.passageCharacters;
    if (codePoints(text) > most) {
      throw new PagefaultError(
        'E_INVALID',
        `The note has ${codePoints(text)} characters, the limit is ${most}; split it.`,
      );
    }
    const id = context.mintId();
    // Its vector comes later through the outbox; until then the text arm finds it.
    return { text: JSON.stringify({ stored: `p${id}`, searchable: false }), passages: [{ id, text }] };
  },
});
