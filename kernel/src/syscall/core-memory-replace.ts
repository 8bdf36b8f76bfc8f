import { z } from 'zod';
import { checkBlockRoom } from './block-room.js';
import { defineSyscall } from './syscall.js';

export const coreMemoryReplace = defineSyscall({
  name: 'core_memory_replace',
  help: 'Replaces text in a block of your core memory. To delete, replace by an empty string.',
  parameters: z.object({
    name: z.string().describe('the block, for example human or persona'),
    old_content: z.string().min(1).describe('text that is in the block, exactly'),
    new_content: z.string().describe('what shall stand there'),
  }),
  run: async ({ name, old_content, new_content }, context) => {
    await checkBlockRoom(context, { adds: new_content, removes: old_content });
    return { text: '', edit: { kind: 'replace', name, from: old_content, to: new_content } };
  },
});
