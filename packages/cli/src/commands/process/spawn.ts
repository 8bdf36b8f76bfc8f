/** Makes processes: new ones, and forks. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import type { NewBlock } from '@pagefault/kernel';
import type { ProcessId } from '@pagefault/wiring';
import { type Command, InvalidArgumentError } from 'commander';
import { type Context, withInspector } from '../shared/context.js';
import type { Io } from '../shared/io.js';
import { type CommonOptions, withMachineOptions } from '../shared/options.js';
import { createPrinter } from '../shared/print.js';

interface SpawnOptions extends CommonOptions {
  readonly program?: string;
  readonly block?: readonly GivenBlock[];
  readonly zone?: string;
}

interface GivenBlock {
  readonly name: string;
  /** `@` and a path, or the text. */
  readonly text: string;
}

export function addSpawn(program: Command, context: Context): void {
  withMachineOptions(program.command('spawn'))
    .description('make a process, with a program and blocks of its own')
    .argument('<name>')
    .option('--program <file>', "its instructions (default: the configuration's)")
    .option(
      '--block <name=text>',
      "a block, once for each; @FILE for a text in a file (default: the configuration's blocks)",
      collect,
    )
    .option('--zone <name>', "the user's time zone, such as Europe/Berlin (default: the configuration's)")
    .action(async (name: string, options: SpawnOptions) => {
      const { program: file, block, zone } = options;
      const instructions = file === undefined ? undefined : await read(context.io, file, '--program');
      const blocks = block && (await Promise.all(block.map((one) => toBlock(context.io, one))));
      const spawned = await withInspector(context, { ...options, create: true }, (inspector) =>
        inspector.spawn({
          name,
          ...(instructions !== undefined && { instructions }),
          ...(blocks && { blocks }),
          ...(zone !== undefined && { zone }),
        }),
      );
      tell(context.io, options, spawned);
    });
}

export function addFork(program: Command, context: Context): void {
  withMachineOptions(program.command('fork'))
    .description('make another process with the memory of one, as it is now; each then goes its own way')
    .argument('<process>', 'name or pid')
    .argument('<name>', 'of the new one')
    .action(async (process: string, name: string, options: CommonOptions) => {
      tell(context.io, options, await withInspector(context, options, (it) => it.fork(process, name)));
    });
}

function tell(io: Io, { json }: CommonOptions, { pid, name }: ProcessId): void {
  const printer = createPrinter(io);
  if (json) printer.json({ pid, name });
  else printer.line(`${name} ${pid}`);
}

function collect(text: string, before: readonly GivenBlock[] = []): readonly GivenBlock[] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be a name, "=" and a text, such as human="Name: Ada".');
  return [...before, { name: text.slice(0, at), text: text.slice(at + 1) }];
}

async function toBlock(io: Io, { name, text }: GivenBlock): Promise<NewBlock> {
  const value = text.startsWith('@') ? await read(io, text.slice(1), `--block ${name}`) : text;
  return { name, value };
}

/** Without the last line end, which editors put there. */
async function read({ cwd }: Io, file: string, option: string): Promise<string> {
  try {
    return (await readFile(resolve(cwd, file), 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new PagefaultError('E_INVALID', `${option}: the file ${file} cannot be read`, {
      cause,
      hint: 'name a text file that is there',
    });
  }
}
