/** What is in the working context. Also beside a chat, but for the history. */
import { PagefaultError } from '@pagefault/contracts';
import type { Block } from '@pagefault/kernel';
import type { Command } from 'commander';
import { findProcess } from '../shared/agent.js';
import { type Context, withInspector, withMachine } from '../shared/context.js';
import {
  type CommonOptions,
  DEFAULT_PROCESS,
  withCommon,
  withMachineOptions,
  withProcess,
} from '../shared/options.js';
import { createPrinter } from '../shared/print.js';
import { printable } from '../../terminal/index.js';
import { forPrograms, renderList, renderVersions } from './report.js';

export function addLooks(parent: Command, context: Context): void {
  withCommon(withProcess(parent.command('list')))
    .description('list the blocks')
    .action((options: CommonOptions) => list(context, options));
  withCommon(withProcess(parent.command('show')))
    .description('print the text of one block')
    .argument('<name>')
    .action((name: string, options: CommonOptions) => show(context, name, options));
  withMachineOptions(withProcess(parent.command('history')))
    .description('list the texts that a block had, with their versions')
    .argument('<name>')
    .action((name: string, options: CommonOptions) => history(context, name, options));
}

async function list(context: Context, options: CommonOptions): Promise<void> {
  const printer = createPrinter(context.io);
  const blocks = await blocksInView(context, options);
  if (options.json) return printer.json({ blocks: blocks.map(forPrograms) });
  printer.line(
    blocks.length === 0 ? 'there is no block; `pagefault block add` makes one' : renderList(blocks),
  );
}

async function show(context: Context, name: string, options: CommonOptions): Promise<void> {
  const printer = createPrinter(context.io);
  const blocks = await blocksInView(context, options);
  const block = blocks.find((candidate) => candidate.name === name);
  if (!block) throw unknownBlock(name, blocks);
  if (options.json) printer.json(forPrograms(block));
  else printer.line(printable(block.value));
}

async function history(context: Context, name: string, options: CommonOptions): Promise<void> {
  const printer = createPrinter(context.io);
  const versions = await withMachine(context, options, async ({ kernel }) =>
    (await findProcess(kernel, options.process)).blocks.history(name),
  );
  if (options.json) printer.json({ name, versions });
  else printer.line(renderVersions(versions));
}

function blocksInView(context: Context, options: CommonOptions): Promise<readonly Block[]> {
  const name = options.process ?? DEFAULT_PROCESS;
  return withInspector(context, options, async (inspector) => (await inspector.pmap(name)).blocks);
}

function unknownBlock(name: string, blocks: readonly Block[]): PagefaultError {
  const names = blocks.map((block) => block.name).join(', ');
  return new PagefaultError('E_NOT_FOUND', `there is no block "${name}"`, {
    hint: names === '' ? 'there are none; `pagefault block add` makes one' : `there are: ${names}`,
  });
}
