import { inspect } from 'node:util';
import { hasCode, type PagefaultError } from '@pagefault/contracts';
import { Command, CommanderError } from 'commander';
import { coloursFor, formatError } from '../terminal/index.js';
import { addArchive } from './archive.js';
import { addAsk } from './ask.js';
import { addBlock } from './block.js';
import { addChat } from './chat.js';
import { addDoctor } from './doctor.js';
import { addErase } from './erase.js';
import { addEval } from './eval.js';
import { addFeed } from './feed.js';
import { addFsck } from './fsck.js';
import { addLab } from './lab.js';
import { addMap, addUnmap } from './map.js';
import { addMigrate } from './migrate.js';
import { addPmap } from './pmap.js';
import { addControl, addRename } from './process/control.js';
import { addFork, addSpawn } from './process/spawn.js';
import { addUse } from './process/use.js';
import { addPs } from './ps.js';
import { addRecall } from './recall.js';
import { addRerun } from './rerun.js';
import type { Context } from './shared/context.js';
import { errorForPrograms } from './shared/error.js';
import { EXIT, type Io } from './shared/io.js';
import { programVersion } from './shared/version.js';
import { addServe } from './serve.js';
import { addTimer } from './timer.js';
import { addVmstat } from './vmstat.js';

/** Each adds a command or a few, in the order of the help. */
const COMMANDS: readonly ((program: Command, context: Context) => void)[] = [
  addChat,
  addAsk,
  addFeed,
  addServe,
  addTimer,
  addPs,
  addSpawn,
  addFork,
  addControl,
  addRename,
  addUse,
  addErase,
  addPmap,
  addVmstat,
  addBlock,
  addRecall,
  addArchive,
  addMap,
  addUnmap,
  addDoctor,
  addFsck,
  addMigrate,
  addRerun,
  addEval,
  addLab,
];

/** Runs one command line. Never throws; resolves to the exit code. */
export async function run(args: readonly string[], world: Omit<Context, 'finish'>): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = createProgram({ ...world, finish: (code) => (exitCode = code) });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return usage(error, program, world.io);
    return failure(error, args.includes('--json'), world.io);
  }
}

export function createProgram(context: Context): Command {
  const { stdout, stderr } = context.io;
  const program = new Command('pagefault')
    .description('Virtual memory for LLM agents.')
    .version(programVersion(), '-V, --version')
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
    })
    .showSuggestionAfterError()
    .exitOverride();
  for (const add of COMMANDS) add(program, context);
  return program;
}

/** Commander has said what is wrong; what there is instead is worth a line. */
function usage(error: CommanderError, program: Command, { stderr }: Io): number {
  if (error.exitCode === 0) return EXIT.ok;
  if (error.code === 'commander.unknownCommand') {
    const names = program.commands.map((command) => command.name()).join(', ');
    stderr.write(`commands: ${names}; \`pagefault COMMAND --help\` tells more\n`);
  } else if (error.code !== 'commander.help') {
    stderr.write('`--help` after the command lists its arguments and options\n');
  }
  return EXIT.usage;
}

function failure(error: unknown, json: boolean, { stderr, env }: Io): number {
  const isDebug = env['PAGEFAULT_DEBUG'] !== undefined && env['PAGEFAULT_DEBUG'] !== '';
  if (hasCode(error, 'E_ABORTED')) return stopped(error, stderr);
  if (json) stderr.write(`${JSON.stringify({ error: errorForPrograms(error) })}\n`);
  else stderr.write(`${formatError(error, coloursFor({ isTTY: stderr.isTTY === true, env }))}\n`);
  if (isDebug) stderr.write(`${inspect(error)}\n`);
  return EXIT.failure;
}

/** Who pressed Ctrl-C knows why: it is no error. */
function stopped({ message, hint }: PagefaultError, stderr: Io['stderr']): number {
  stderr.write(`${message}${hint === undefined ? '' : `; ${hint}`}\n`);
  return EXIT.stopped;
}
