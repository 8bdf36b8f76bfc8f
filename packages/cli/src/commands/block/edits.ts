/** Edits of blocks. Each says what the block then is. */
import type { Block, EditOptions, UndoOptions, WorkingContext } from '@pagefault/kernel';
import { type Command, InvalidArgumentError } from 'commander';
import { findProcess } from '../shared/agent.js';
import { type Context, withMachine } from '../shared/context.js';
import { textOf } from '../shared/text-input.js';
import { type CommonOptions, wholeNumber, withMachineOptions, withProcess } from '../shared/options.js';
import { createPrinter } from '../shared/print.js';
import { forPrograms, renderBlock } from './report.js';

export interface BlockOptions extends CommonOptions {
  readonly expect?: number;
  readonly by?: string;
}

interface AddOptions extends BlockOptions {
  readonly limit?: number;
  readonly readOnly?: boolean;
}

interface StepOptions extends BlockOptions {
  readonly to?: number;
}

const SEVERAL = 'several words are one text; - reads standard input';

export function addEdits(parent: Command, context: Context): void {
  addValueEdits(parent, context);
  addSteps(parent, context);
  addChanges(parent, context);
}

function addValueEdits(parent: Command, context: Context): void {
  editing(parent, 'set', 'give a block another text')
    .argument('<name>')
    .argument('<text...>', SEVERAL)
    .action((name: string, words: string[], options: BlockOptions) =>
      edit(context, options, async (blocks, by) => blocks.set(name, await textOf(context.io, words), by)),
    );
  editing(parent, 'append', 'add a line to a block')
    .argument('<name>')
    .argument('<text...>', SEVERAL)
    .action((name: string, words: string[], options: BlockOptions) =>
      edit(context, options, async (blocks, by) => blocks.append(name, await textOf(context.io, words), by)),
    );
  editing(parent, 'replace', 'replace a text in a block, where it stands first')
    .argument('<name>')
    .argument('<old>', 'text that is in the block, exactly')
    .argument('<new>', 'what shall stand there; "" deletes')
    .action((name: string, from: string, to: string, options: BlockOptions) =>
      edit(context, options, (blocks, by) => blocks.replace(name, from, to, by)),
    );
}

function addSteps(parent: Command, context: Context): void {
  for (const direction of ['undo', 'redo'] as const) {
    const what = direction === 'undo' ? 'give a block the text before its last edit' : 'take an undo back';
    editing(parent, direction, what)
      .argument('<name>')
      .option('--to <version>', 'a version of its history (default: the nearest)', wholeNumber(1))
      .action((name: string, options: StepOptions) =>
        edit(context, options, (blocks, by) => {
          const step: UndoOptions = { ...by, ...(options.to !== undefined && { to: options.to }) };
          return blocks[direction](name, step);
        }),
      );
  }
}

function addChanges(parent: Command, context: Context): void {
  editing(parent, 'add', 'make another block')
    .argument('<name>')
    .argument('[text...]', SEVERAL)
    .option(
      '--limit <characters>',
      'the most that it holds (default: limits.blockCharacters)',
      wholeNumber(1),
    )
    .option('--read-only', 'the model may read it and not edit it')
    .action((name: string, words: string[], { limit, readOnly, ...options }: AddOptions) =>
      edit(context, options, async (blocks, by) => {
        const value = await textOf(context.io, words);
        const sizes = { ...(limit !== undefined && { limit }), ...(readOnly && { readOnly }) };
        return blocks.add({ name, value, ...sizes }, by);
      }),
    );
  editing(parent, 'remove', 'remove a block with its history')
    .argument('<name>')
    .action((name: string, options: BlockOptions) =>
      edit(context, options, (blocks, by) => blocks.remove(name, by), 'removed'),
    );
  editing(parent, 'rename', 'give a block another name')
    .argument('<name>')
    .argument('<new>')
    .action((name: string, to: string, options: BlockOptions) =>
      edit(context, options, (blocks, by) => blocks.rename(name, to, by)),
    );
  editing(parent, 'limit', 'change the most that a block holds; below its size it can only shrink')
    .argument('<name>')
    .argument('<characters>', 'a whole number', wholeNumber(1))
    .action((name: string, limit: number, options: BlockOptions) =>
      edit(context, options, (blocks, by) => blocks.setLimit(name, limit, by)),
    );
  editing(parent, 'read-only', 'say whether the model may edit a block')
    .argument('<name>')
    .argument('<on|off>', 'on: it may not', onOrOff)
    .action((name: string, readOnly: boolean, options: BlockOptions) =>
      edit(context, options, (blocks, by) => blocks.setReadOnly(name, readOnly, by)),
    );
}

/** A command that edits. */
export function editing(parent: Command, name: string, description: string): Command {
  return withMachineOptions(withProcess(parent.command(name)))
    .description(description)
    .option('--expect <version>', 'refuse when the block has another version by now', wholeNumber(1))
    .option('--by <name>', 'who edits, for the history (default: "user")');
}

/** Runs one edit, and says what the block then is. */
export async function edit(
  context: Context,
  options: BlockOptions,
  perform: (blocks: WorkingContext, by: EditOptions) => Promise<Block>,
  done = '',
): Promise<void> {
  const printer = createPrinter(context.io);
  const { expect, by } = options;
  const given = { ...(expect !== undefined && { expect }), ...(by !== undefined && { by }) };
  const block = await withMachine(context, options, async ({ kernel }) =>
    perform((await findProcess(kernel, options.process)).blocks, given),
  );
  if (options.json) printer.json(forPrograms(block));
  else printer.line(done === '' ? renderBlock(block) : `${block.name}: ${done}`);
}

function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('It must be on or off.');
}
