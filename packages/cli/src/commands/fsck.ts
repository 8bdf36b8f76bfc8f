/** Compares the archival index with recall. Looks only, until it is told to repair. */
import { hasCode, PagefaultError } from '@pagefault/contracts';
import type { Kernel, ProcessIndex, ProcessInfo } from '@pagefault/kernel';
import type { Command } from 'commander';
import { createProgress } from '../terminal/index.js';
import { isSound, isWhole, renderIndexes, renderPlan, renderRebuilt, wanted } from './fsck/report.js';
import { type Context, withMachine } from './shared/context.js';
import { errorForPrograms } from './shared/error.js';
import { EXIT, type Io } from './shared/io.js';
import type { Machine } from './shared/machine.js';
import { type CommonOptions, startOptions, withMachineOptions } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { settleIndex } from './shared/settle.js';
import { stoppable } from './shared/stop.js';

interface FsckOptions extends CommonOptions {
  readonly repair?: boolean;
}

export function addFsck(program: Command, context: Context): void {
  withMachineOptions(program.command('fsck'))
    .description(
      'compare the archival index with recall: missing vectors, ghosts, texts that were given up, vectors of another length',
    )
    .option('--repair', 'remove ghosts, embed again what has no vector, make an index of another length anew')
    .action(async (options: FsckOptions) => {
      try {
        await withMachine(context, { ...options, rebuild: options.repair === true }, (machine) =>
          fsck(context, machine, options),
        );
      } catch (error) {
        if (hasCode(error, 'E_DATA_DIR_LOCKED')) throw wantsItForItself(error);
        if (options.repair === true || !hasCode(error, 'E_DIMENSION')) throw error;
        await tellOfRebuild(context, options, error);
      }
    });
}

/** What holds the store is asked by other commands; this one works through all of it. */
function wantsItForItself(problem: PagefaultError): PagefaultError {
  return new PagefaultError(problem.code, problem.message, {
    cause: problem,
    hint: 'fsck needs an embedded store for itself: end the program that holds it (a chat by /quit, serve by Ctrl-C), then run this again; a chat embeds what waits by itself meanwhile',
  });
}

/** `rebuilding` is there when the index is made anew: then it takes the old one's place as soon as it is whole. */
async function fsck(
  context: Context,
  { kernel, rebuilding }: Machine,
  { repair = false, json = false }: FsckOptions,
): Promise<void> {
  const { io } = context;
  const printer = createPrinter(io);
  const processes = await kernel.list();
  const hint = 'run it again to go on: what is done stays done';
  const { found, left } = await stoppable(io, hint, async (signal) => {
    const before = await lookAt(io, kernel, processes, { repair, signal });
    if (!repair || (before.every(isDone) && !rebuilding)) return { found: before, left: before };
    await embed(io, kernel, before, signal);
    const after = await lookAt(io, kernel, processes, { repair: false, signal });
    if (after.every(isWhole)) await rebuilding?.finish(signal);
    return { found: before, left: after };
  });
  const rebuilt = rebuilding && { from: rebuilding.from, isFinished: left.every(isWhole) };
  if (json) printer.json({ processes: found, ...(repair && { left }), ...(rebuilt && { rebuilt }) });
  else {
    printer.line(renderIndexes(found, left, processes, repair));
    if (rebuilt) printer.line(renderRebuilt(rebuilt));
  }
  if (!left.every(repair ? isDone : isSound)) context.finish(EXIT.failure);
}

/** What waits is no drift, but a repair does not leave it to others. */
const isDone = (index: ProcessIndex): boolean => isSound(index) && wanted(index) === 0;

/** The index cannot be opened as it is. Says what a repair would embed; writes nothing. */
async function tellOfRebuild(
  { io, wiring, finish }: Context,
  options: FsckOptions,
  problem: PagefaultError,
): Promise<void> {
  const { planRebuild } = await wiring();
  const found: ProcessIndex[] = [];
  await stoppable(io, 'nothing was changed', async (signal) => {
    for await (const index of planRebuild(startOptions(options, io), signal)) found.push(index);
  });
  const printer = createPrinter(io);
  if (options.json) printer.json({ processes: found, problem: errorForPrograms(problem) });
  else printer.line(renderPlan(found, problem));
  finish(EXIT.failure);
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
