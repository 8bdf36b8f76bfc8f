import { z } from 'zod';
import { defineSyscall } from './syscall.js';

export const pin = defineSyscall({
  name: 'pin',
  help: 'Keeps a text in view until unpin, however full memory gets. Pins may take 30 % of it.',
  parameters: z.object({ handle: z.string().min(1).describe('of a message or page_in result in view') }),
  run: async ({ handle }) => ({ text: '', pin: { kind: 'pin', handle: handle.trim() } }),
});
