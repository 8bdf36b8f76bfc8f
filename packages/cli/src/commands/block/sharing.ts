/** Blocks that several processes have in view. */
import type { Command } from 'commander';
import { findProcess } from '../shared/agent.js';
import { type Context, withMachine } from '../shared/context.js';
import { textOf } from '../shared/text-input.js';
import { type CommonOptions, wholeNumber, withMachineOptions, withProcess } from '../shared/options.js';
import { createPrinter } from '../shared/print.js';
import { type BlockOptions, edit, editing } from './edits.js';
import { forPrograms, renderBlock, renderShared } from './report.js';

interface ShareOptions extends BlockOptions {
  readonly limit?: number;
}

interface AttachOptions extends BlockOptions {
  readonly name?: string;
  readonly readOnly?: boolean;
}

export function addSharing(parent: Command, context: Context): void {
  withMachineOptions(withProcess(parent.command('share')))
    .description('make a block that other processes may attach, attach it here, and print its id')
    .argument('<name>')
    .argument('[text...]', 'several words are one text; - reads standard input')
    .option(
      '--limit <characters>',
      'the most that it holds (default: limits.blockCharacters)',
      wholeNumber(1),
    )
    .option('--by <name>', 'who edits, for the history (default: "user")')
    .action((name: string, words: string[], options: ShareOptions) => share(context, name, words, options));
  editing(parent, 'attach', 'bring a shared block into view')
    .argument('<id>')
    .option('--name <name>', "what this process calls it (default: the shared block's name)")
    .option('--read-only', "this process's model may read it and not edit it")
    .action((id: string, { name, readOnly, ...options }: AttachOptions) =>
      edit(context, options, (blocks, { by }) =>
        blocks.attach(id, {
          ...(name !== undefined && { name }),
          ...(readOnly && { readOnly }),
          ...(by !== undefined && { by }),
        }),
      ),
    );
  editing(parent, 'detach', 'take a shared block out of view; it stays what it is')
    .argument('<name>')
    .action((name: string, options: BlockOptions) =>
      edit(context, options, (blocks, by) => blocks.detach(name, by), 'detached'),
    );
  withMachineOptions(parent.command('shared'))
    .description('list the shared blocks, whoever has them in view')
    .action((options: CommonOptions) => listShared(context, options));
}

async function share(
  context: Context,
  name: string,
  words: readonly string[],
  { limit, by, ...options }: ShareOptions,
): Promise<void> {
  const printer = createPrinter(context.io);
  const value = await textOf(context.io, words);
  const made = { name, value, ...(limit !== undefined && { limit }), ...(by !== undefined && { by }) };
  const { id, block } = await withMachine(context, options, async ({ kernel }) => {
    const process = await findProcess(kernel, options.process);
    const shared = await kernel.createSharedBlock(made);
    const attached = await process.blocks.attach(shared).catch(async (error: unknown) => {
      await kernel.sharedBlock(shared).erase(); // Nobody has it in view, and nobody was told its id.
      throw error;
    });
    return { id: shared, block: attached };
  });
  if (options.json) return printer.json(forPrograms(block));
  printer.line(id);
  printer.note(renderBlock(block));
}

async function listShared(context: Context, options: CommonOptions): Promise<void> {
  const printer = createPrinter(context.io);
  const views = await withMachine(context, options, ({ kernel }) => kernel.listSharedBlocks());
  if (options.json) return printer.json({ blocks: views });
  printer.line(
    views.length === 0 ? 'there is no shared block; `pagefault block share` makes one' : renderShared(views),
  );
}
