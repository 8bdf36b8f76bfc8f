import { PagefaultError } from '@pagefault/contracts';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Initializer } from '../initializer.js';
import { readInitializers } from './initializers.js';
import { EXIT, type Io } from './io.js';
import { list } from './list.js';
import { choose } from './only.js';
import { jsonReport, tableReport } from './report.js';
import { execute } from './execute.js';

interface Options {
  readonly only: readonly string[];
  readonly list?: true;
  readonly json?: true;
  /** Seconds. */
  readonly timeout: number;
}

/** Seconds. The slowest case of our own drivers needs ten; beyond it a driver hangs rather than works. */
const TIMEOUT = 120;

const EXAMPLE = `
FILE is a module in JavaScript or TypeScript whose default export says which suite and how it gets its drivers:

  export default {
    kind: 'recall', // or archival, embedder, processor
    name: 'my recall',
    create: () => ({ driver: createMyRecall({ folder: aNewOne() }) }),
    destroy: ({ driver }) => removeItsFolder(driver),
  };

The exit code is 0 when all passed, 1 when something failed, 2 when nothing could be tested.`;

/** Runs one command line. Never throws; resolves to the exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.passed;
  const program = new Command('pagefault-conform')
    .description('Run the suite of contract tests on drivers of your own.')
    .argument('[file]', 'the initializer; relative to the current folder')
    .option('--only <what>', 'a room such as `lease`, or words of a case; may be repeated', collect, [])
    .option('--list', 'say what would be run; without a file, all suites')
    .option('--json', 'for programs: one document at the end')
    .option('--timeout <seconds>', 'after which a case counts as hanging', seconds, TIMEOUT)
    .addHelpText('after', EXAMPLE)
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .exitOverride()
    .action(async (file: string | undefined, options: Options) => {
      code = await conform(file, options, io);
    });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.unable;
    io.stderr.write(`${told(error, io)}\n`);
    return EXIT.unable;
  }
}

async function conform(file: string | undefined, options: Options, io: Io): Promise<number> {
  const initializers =
    file === undefined ? undefined : await readInitializers(file, io.cwd, options.timeout * 1000);
  if (options.list) {
    list(initializers, options, io);
    return EXIT.passed;
  }
  if (!initializers)
    throw new PagefaultError('E_CONFIG', 'no initializer was named', {
      hint: '`pagefault-conform ./initializer.ts`; --help shows what is in such a file, --list what is tested',
    });
  return runAll(initializers, options, io);
}

async function runAll(initializers: readonly Initializer[], options: Options, io: Io): Promise<number> {
  const chosen = choose(initializers, options.only);
  const report = options.json ? jsonReport(io) : tableReport(io);
  for (const suite of chosen.filter(({ trials }) => trials.length > 0))
    for await (const outcome of execute(suite, options.timeout * 1000)) report.tell(suite, outcome);
  return report.end() ? EXIT.passed : EXIT.failed;
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value];
}

function seconds(value: string): number {
  const given = Number(value);
  if (given > 0 && given <= 86_400) return given;
  throw new InvalidArgumentError('expected seconds, above 0 and at most 86400');
}

function told(error: unknown, { env }: Io): string {
  const isOurs = PagefaultError.is(error);
  const isDebug = (env['PAGEFAULT_DEBUG'] ?? '') !== '';
  const stack = error instanceof Error ? error.stack : String(error);
  if (!isOurs || isDebug) return stack ?? '';
  return `${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}`;
}
