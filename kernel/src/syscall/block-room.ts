import { PagefaultError } from '@pagefault/contracts';
import type { CallContext } from './syscall.js';

/** Errors: `E_BLOCK` when an edit would leave too little of the context to talk in. */
export async function checkBlockRoom(
  context: Pick<CallContext, 'count' | 'roomForBlocks'>,
  { adds, removes = '' }: { readonly adds: string; readonly removes?: string },
): Promise<void> {
  const removed = removes === '' ? 0 : await context.count(removes);
  const growth = (await context.count(adds)) - removed;
  if (growth <= 0) return;
  const room = await context.roomForBlocks();
  if (growth <= room) return;
  throw new PagefaultError(
    'E_BLOCK',
    `Core memory would take ${growth} tokens more, and may take ${room} more: what is always in view leaves no room for the conversation.`,
    { hint: 'Nothing was changed. Shorten or replace what is there, or keep it in archival memory.' },
  );
}
