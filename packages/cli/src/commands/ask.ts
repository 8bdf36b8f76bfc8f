import type { Command } from 'commander';
import { AnswerView } from './chat/answer-view.js';
import { findOrSpawn, findProcess } from './shared/agent.js';
import { type Context, withMachine } from './shared/context.js';
import { EXIT } from './shared/io.js';
import type { Machine } from './shared/machine.js';
import { Notices } from './shared/notices.js';
import { type CommonOptions, withMachineOptions, withProcess } from './shared/options.js';
import { outcomeLine } from './shared/outcome.js';
import { createPrinter } from './shared/print.js';
import { stoppable } from './shared/stop.js';

export interface AskOptions extends CommonOptions {
  readonly discard?: boolean;
}

export function addAsk(program: Command, context: Context): void {
  withMachineOptions(withProcess(program.command('ask')))
    .description('ask one question')
    .argument('<question...>', 'several words are one question')
    .option('--discard', 'on an overlay: memory is read, and nothing of the turn is kept')
    .action(async (words: readonly string[], options: AskOptions) => {
      const work = (machine: Machine) => ask(context, words.join(' '), options, machine);
      context.finish(await withMachine(context, options, work));
    });
}

/** Resolves to the exit code: a failure unless there is an answer. */
export async function ask(
  { io }: Context,
  question: string,
  options: AskOptions,
  machine: Machine,
): Promise<number> {
  const { kernel } = machine;
  const notices = new Notices(kernel.bus);
  // What is thrown away must not make a process.
  const process = await (options.discard ? findProcess : findOrSpawn)(kernel, options.process);
  const deliver = (signal: AbortSignal) =>
    options.discard ? process.ask(question, { signal }) : process.send(question, { signal });
  const printer = createPrinter(io);
  const view = new AnswerView({
    io,
    printer,
    bus: kernel.bus,
    pid: process.pid,
    notices,
    json: options.json ? 'document' : 'none',
  });
  try {
    const result = await stoppable(io, 'ask again', deliver);
    view.finish(result);
    if (result.outcome === 'interrupted') return EXIT.stopped;
    return outcomeLine(result) === undefined ? EXIT.ok : EXIT.failure;
  } finally {
    view.close();
  }
}
