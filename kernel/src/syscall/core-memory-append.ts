import { z } from 'zod';
import { checkBlockRoom } from './block-room.js';
import { defineSyscall } from './syscall.js';

export const coreMemoryAppend = defineSyscall({
  name: 'core_memory_append',
  help: 'Adds a line to a block of your core memory, which is always in view.',
  parameters: z.object({
    name: z.string().describe('the block, for example human or persona'),
    content: z.string().min(1).describe('what to add'),
  }),
  run: async ({ name, content }, context) => {
    await checkBlockRoom(context, { adds: content });
    return { text: '', edit: { kind: 'append', name, content } };
  },
});
