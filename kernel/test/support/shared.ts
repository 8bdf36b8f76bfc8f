/** Processes that share a block. */
import type { ReplyFunction } from '@pagefault/driver-processor-scripted';
import type { Stack, StackOptions } from './stack.js';
import { ask, hasResults, lastResult, lastUser, tell } from './stack.js';

export const program: NonNullable<StackOptions['program']> = {
  instructions: 'You remember.',
  blocks: [{ name: 'human' }],
};

export const PLAN = 'Monday: shear';

/** Appends the user's words to the block `plan`, and tells what came of it. */
export const noting: ReplyFunction = (request) =>
  hasResults(request)
    ? tell(lastResult(request))
    : ask('core_memory_append', { name: 'plan', content: lastUser(request) });

/** Two processes that have one shared block in view, under its own name. */
export async function twoProcesses(
  start: (options: StackOptions) => Promise<Stack>,
  options: StackOptions = {},
) {
  const stack = await start({ program, replies: noting, ...options });
  const { kernel, process: ada } = stack;
  const bob = await kernel.spawn();
  const id = await kernel.createSharedBlock({ name: 'plan', value: PLAN, limit: 200, by: 'Grace' });
  await ada.blocks.attach(id);
  await bob.blocks.attach(id);
  return { ...stack, ada, bob, id, plan: kernel.sharedBlock(id) };
}
