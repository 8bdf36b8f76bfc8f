import type { Command } from 'commander';
import { addEdits } from './block/edits.js';
import { addLooks } from './block/looks.js';
import { addSharing } from './block/sharing.js';
import type { Context } from './shared/context.js';

export function addBlock(program: Command, context: Context): void {
  const block = program
    .command('block')
    .description('look at and edit the blocks of a process: what its model always has in view');
  addLooks(block, context);
  addEdits(block, context);
  addSharing(block, context);
}
