import type { Command } from 'commander';
import { findProcess } from './shared/agent.js';
import { type Context, withMachine } from './shared/context.js';
import { EXIT } from './shared/io.js';
import type { Machine } from './shared/machine.js';
import { type CommonOptions, wholeNumber, withMachineOptions, withProcess } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { stoppable } from './shared/stop.js';
import { TurnLog } from './serve/turn-log.js';

export interface ServeOptions extends CommonOptions {
  readonly grace: number;
}

// Longer than most turns, shorter than the time after which service managers kill (90 s with systemd).
const GRACE_SECONDS = 30;

export function addServe(program: Command, context: Context): void {
  withMachineOptions(withProcess(program.command('serve'), 'all'))
    .description('run what is due: timers, and what is in the inboxes; until it is stopped')
    .option(
      '--grace <seconds>',
      'how long the turns under way may still take when it is asked to end',
      wholeNumber(0),
      GRACE_SECONDS,
    )
    .addHelpText(
      'after',
      '\nPrints a line a turn: when it ended, whose it was, what began it, how it ended, what was said. Ctrl-C or SIGTERM\n' +
        'ends it in good order; a second one at once.',
    )
    .action(async (options: ServeOptions) => {
      context.finish(
        await withMachine(context, options, (machine) => serve(context, options, machine), true),
      );
    });
}

/** Resolves to the exit code, when it was asked to end and the turns under way have ended. */
export async function serve({ io }: Context, options: ServeOptions, { kernel }: Machine): Promise<number> {
  const printer = createPrinter(io);
  const only = options.process === undefined ? undefined : (await findProcess(kernel, options.process)).pid;
  const log = new TurnLog(io, kernel, options.json === true);
  try {
    await stoppable(io, 'what waits is served next time', async (signal) => {
      await kernel.serve(only === undefined ? {} : { only });
      printer.note('serving; Ctrl-C ends it');
      await aborted(signal);
      printer.note('ending when the turns under way have ended; Ctrl-C again ends it at once');
      await kernel.close({ graceMs: options.grace * 1_000 });
    });
    return EXIT.ok;
  } finally {
    await log.close();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
