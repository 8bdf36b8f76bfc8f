import { z } from 'zod';
import { defineSyscall } from './syscall.js';

export const unpin = defineSyscall({
  name: 'unpin',
  help: 'Lets a pinned text go when memory is full.',
  parameters: z.object({ handle: z.string().min(1).describe('as it was pinned') }),
  run: async ({ handle }) => ({ text: '', pin: { kind: 'unpin', handle: handle.trim() } }),
});
