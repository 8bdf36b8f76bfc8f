import { join } from 'node:path';
import type { Command } from 'commander';
import { AnswerView } from './chat/answer-view.js';
import { openHistory } from './chat/history.js';
import { type Lines, pipedLines } from './chat/lines.js';
import { createPrompt } from './chat/prompt.js';
import { Session } from './chat/session.js';
import { findOrSpawn } from './shared/agent.js';
import { type Context, withMachine } from './shared/context.js';
import { EXIT, type Io } from './shared/io.js';
import { dataDirOf, type Machine } from './shared/machine.js';
import { Notices } from './shared/notices.js';
import { type CommonOptions, withMachineOptions, withProcess } from './shared/options.js';
import { createPrinter, type Printer } from './shared/print.js';
import { stoppable, unlessStopped } from './shared/stop.js';

export function addChat(program: Command, context: Context): void {
  withMachineOptions(withProcess(program.command('chat')))
    .description('talk to an agent; it remembers what you said, also next time')
    .addHelpText(
      'after',
      '\nOn a pipe each line is a message, and standard output has the answers only. With --json it has lines of type\n' +
        '"delta" (text as it is written) and "result" (how the turn ended, with the whole text). What a timer of the\n' +
        'agent makes it say comes in between; on a pipe without --json it goes to standard error.',
    )
    .action(async (options: CommonOptions) => {
      context.finish(await withMachine(context, options, (machine) => chat(context, options, machine), true));
    });
}

/** Resolves to the exit code. */
export async function chat({ io }: Context, options: CommonOptions, machine: Machine): Promise<number> {
  const printer = createPrinter(io);
  const { kernel } = machine;
  const notices = new Notices(kernel.bus);
  const process = await findOrSpawn(kernel, options.process);
  const json = options.json === true;
  const isInteractive = io.stdin.isTTY === true && !json;
  const view = new AnswerView({
    io,
    printer,
    bus: kernel.bus,
    pid: process.pid,
    notices,
    json: json ? 'lines' : 'none',
  });
  const session = new Session({ process, kernel, view, printer, json, isInteractive });
  const lines = isInteractive ? await typedLines({ io, machine, session, printer }) : pipedLines(io.stdin);
  try {
    return await converse(io, session, lines);
  } finally {
    session.close();
    lines.close();
    view.close();
  }
}

/** Until the lines end, or the program is asked to: then the turn that runs is stopped, and no other begins. */
async function converse(io: Io, session: Session, lines: Lines): Promise<number> {
  const talk = async (signal: AbortSignal): Promise<number> => {
    signal.addEventListener('abort', () => {
      lines.close();
      session.stopTurn();
    });
    lines.setBusy(true);
    await unlessStopped(signal, session.resume());
    lines.setBusy(false);
    await session.serve(lines);
    const code = await session.run(lines);
    return signal.aborted ? EXIT.stopped : code;
  };
  return stoppable(io, 'what was not answered is answered next time', talk);
}

interface Typing {
  readonly io: Io;
  readonly machine: Machine;
  readonly session: Session;
  readonly printer: Printer;
}

async function typedLines({ io, machine, session, printer }: Typing): Promise<Lines> {
  const folder = dataDirOf(machine.config);
  const file = folder === undefined ? undefined : join(folder, 'history');
  const history = await openHistory(file, (text) => printer.note(text));
  const lines = createPrompt({
    io,
    history: history.lines,
    prompt: `${printer.colours.cyan('>')} `,
    onStop: () => session.stopTurn(),
    onHint: (text) => printer.note(text),
  });
  const remember = async (line: string | undefined) => {
    if (line !== undefined && line.trim() !== '') await history.add(line);
    return line;
  };
  return { ...bound(lines), next: () => lines.next().then(remember) };
}

function bound(lines: Lines): Omit<Lines, 'next'> {
  return {
    setBusy: (isBusy) => lines.setBusy(isBusy),
    interject: (show) => lines.interject(show),
    close: () => lines.close(),
  };
}
