/** Compares the archival index with recall. Looks only, until it is told to repair. */
import type { Kernel, ProcessIndex, ProcessInfo } from '@pagefault/kernel';
import type { Command } from 'commander';
import { createProgress } from '../terminal/index.js';
import { isSound, renderIndexes, wanted } from './fsck/report.js';
import { type Context, withMachine } from './shared/context.js';
import { EXIT, type Io } from './shared/io.js';
import { type CommonOptions, withMachineOptions } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { settleIndex } from './shared/settle.js';
import { stoppable } from './shared/stop.js';

interface FsckOptions extends CommonOptions {
  readonly repair?: boolean;
}

export function addFsck(program: Command, context: Context): void {
  withMachineOptions(program.command('fsck'))
    .description('compare the archival index with recall: missing vectors, ghosts, texts that were given up')
    .option('--repair', 'remove ghosts, and embed again what has no vector')
    .action((options: FsckOptions) =>
      withMachine(context, options, ({ kernel }) => fsck(context, kernel, options)),
    );
}

async function fsck(
  context: Context,
  kernel: Kernel,
  { repair = false, json = false }: FsckOptions,
): Promise<void> {
  const { io } = context;
  const printer = createPrinter(io);
  const processes = await kernel.list();
  const hint = 'run it again to go on: what is done stays done';
  const { found, left } = await stoppable(io, hint, async (signal) => {
    const before = await lookAt(io, kernel, processes, { repair, signal });
    if (!repair || before.every(isSound)) return { found: before, left: before };
    await embed(io, kernel, before, signal);
    return { found: before, left: await lookAt(io, kernel, processes, { repair: false, signal }) };
  });
  if (json) printer.json({ processes: found, ...(repair && { left }) });
  else printer.line(renderIndexes(found, left, processes, repair));
  const isDone = repair ? left.every((index) => isSound(index) && wanted(index) === 0) : found.every(isSound);
  if (!isDone) context.finish(EXIT.failure);
}

async function lookAt(
  io: Io,
  kernel: Kernel,
  processes: readonly ProcessInfo[],
  options: { readonly repair: boolean; readonly signal: AbortSignal },
): Promise<readonly ProcessIndex[]> {
  const progress = createProgress({
    stream: io.stderr,
    label: options.repair ? 'repair' : 'check',
    unit: 'processes',
    total: processes.length,
    now: io.now,
  });
  const found: ProcessIndex[] = [];
  try {
    for await (const index of kernel.checkIndex(options)) progress.update(found.push(index));
    return found;
  } finally {
    progress.finish();
  }
}

/** Resolves when the vectors are made, or could not be. */
async function embed(
  io: Io,
  kernel: Kernel,
  found: readonly ProcessIndex[],
  signal: AbortSignal,
): Promise<void> {
  const total = found.reduce((sum, index) => sum + wanted(index), 0);
  const progress = createProgress({ stream: io.stderr, label: 'embed', unit: 'texts', total, now: io.now });
  let done = 0;
  const forget = kernel.bus.on('indexed', ({ texts }) => progress.update((done += texts)));
  try {
    await settleIndex(io, kernel, signal);
  } finally {
    forget();
    progress.finish();
  }
}
