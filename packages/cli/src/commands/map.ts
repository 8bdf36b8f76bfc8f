import { readDocument } from '@pagefault/documents';
import type { MappedDocument } from '@pagefault/kernel';
import type { Command } from 'commander';
import { formatNumber, formatTable } from '../terminal/index.js';
import { findOrSpawn, findProcess } from './shared/agent.js';
import { type Context, withMachine } from './shared/context.js';
import type { Machine } from './shared/machine.js';
import { type CommonOptions, withMachineOptions, withProcess } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { sourceOf } from './shared/source.js';
import { stoppable } from './shared/stop.js';

export function addMap(program: Command, context: Context): void {
  withMachineOptions(withProcess(program.command('map')))
    .description('map text, Markdown and PDF into a process, which reads them in windows')
    .argument('<files...>')
    .action((files: readonly string[], options: CommonOptions) =>
      withMachine(context, options, (machine) => map(context, files, options, machine)),
    );
}

export function addUnmap(program: Command, context: Context): void {
  withMachineOptions(withProcess(program.command('unmap')))
    .description('take documents away from a process; `pmap` lists them')
    .argument('<documents...>', 'names or handles')
    .action((documents: readonly string[], options: CommonOptions) =>
      withMachine(context, options, (machine) => unmap(context, documents, options, machine)),
    );
}

async function map(
  { io }: Context,
  files: readonly string[],
  options: CommonOptions,
  { kernel }: Pick<Machine, 'kernel'>,
): Promise<void> {
  const printer = createPrinter(io);
  const mapped: MappedDocument[] = [];
  await stoppable(io, 'map the same files again to go on', async (signal) => {
    try {
      const process = await findOrSpawn(kernel, options.process);
      for (const file of files) {
        signal.throwIfAborted();
        const { text } = await readDocument(file);
        mapped.push(await process.mapDocument({ name: sourceOf(file, files), text }));
      }
    } finally {
      if (options.json) printer.json({ documents: mapped });
      else if (mapped.length > 0) printer.line(renderDocuments(mapped));
    }
  });
}

async function unmap(
  { io }: Context,
  documents: readonly string[],
  options: CommonOptions,
  { kernel }: Pick<Machine, 'kernel'>,
): Promise<void> {
  const process = await findProcess(kernel, options.process);
  for (const document of documents) await process.unmapDocument(document);
  const left = await process.documents();
  const printer = createPrinter(io);
  if (options.json) printer.json({ documents: left });
  else printer.line(left.length === 0 ? 'no document is mapped' : renderDocuments(left));
}

export function renderDocuments(documents: readonly MappedDocument[]): string {
  return formatTable(
    [{ title: 'document', maxWidth: 60 }, { title: 'handle' }, { title: 'characters', align: 'right' }],
    documents.map(({ name, handle, characters }) => [name, handle, formatNumber(characters)]),
  );
}
