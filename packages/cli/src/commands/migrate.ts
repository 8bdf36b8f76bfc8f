/** From the store of one configuration to that of another. */
import type { MigratedOwner } from '@pagefault/kernel';
import type { Command } from 'commander';
import { createProgress, formatNumber, formatTable, printable, type Progress } from '../terminal/index.js';
import type { Context } from './shared/context.js';
import { EXIT } from './shared/io.js';
import { createPrinter } from './shared/print.js';
import { stoppable } from './shared/stop.js';

interface MigrateOptions {
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
}

export function addMigrate(program: Command, context: Context): void {
  program
    .command('migrate')
    .description('bring all processes and shared blocks from one store to another; the source is only read')
    .requiredOption('--from <file>', 'configuration of the store that is')
    .requiredOption('--to <file>', 'configuration of the store that is to be')
    .option('--json', 'for programs: JSON on standard output')
    .action((options: MigrateOptions) => migrate(context, options));
}

async function migrate({ io, wiring, finish }: Context, options: MigrateOptions): Promise<void> {
  const { migrateStores } = await wiring();
  const place = (configFile: string) => ({ cwd: io.cwd, env: { ...io.env }, configFile });
  const moved: MigratedOwner[] = [];
  let progress: Progress | undefined;
  const onCount = (total: number) =>
    (progress = createProgress({
      stream: io.stderr,
      label: 'migrate',
      unit: 'processes',
      total,
      now: io.now,
    }));
  const printer = createPrinter(io);
  try {
    await stoppable(io, 'migrate again to go on: what is copied is passed over', async (signal) => {
      const all = migrateStores({ from: place(options.from), to: place(options.to), onCount, signal });
      for await (const one of all) progress?.update(moved.push(one));
    });
  } finally {
    progress?.finish();
    if (options.json) printer.json({ processes: moved });
    else if (moved.length > 0) printer.line(renderMoved(moved));
  }
  if (!options.json) for (const line of notesOn(moved, options.to)) printer.note(line);
  if (moved.some(({ became }) => became === 'differs')) finish(EXIT.failure);
}

const BECAME: Readonly<Record<MigratedOwner['became'], string>> = {
  copied: 'copied',
  there: 'was there, the same',
  differs: 'is there, and differs',
};

/** The first digits of a checksum: enough to compare by eye. */
const SHOWN_DIGITS = 12;

export function renderMoved(moved: readonly MigratedOwner[]): string {
  return formatTable(
    [
      { title: 'process', maxWidth: 40 },
      { title: 'messages', align: 'right' },
      { title: 'passages', align: 'right' },
      { title: 'rows', align: 'right' },
      { title: 'checksum' },
      { title: '' },
    ],
    moved.map(({ pid, name, messages, passages, rows, checksum, became }) => [
      name === undefined ? `shared block ${pid}` : printable(name),
      formatNumber(messages),
      formatNumber(passages),
      formatNumber(rows),
      checksum.slice(0, SHOWN_DIGITS),
      BECAME[became],
    ]),
  );
}

function notesOn(moved: readonly MigratedOwner[], to: string): readonly string[] {
  if (moved.length === 0) return ['there is nothing to migrate'];
  const differing = moved.filter(({ became }) => became === 'differs').length;
  if (differing > 0)
    return [
      `${formatNumber(differing)} went on in one of the stores: they were left alone; erase one of the two to decide`,
    ];
  return [`vectors are made again from the texts: \`pagefault fsck --repair --config ${to}\` does it now`];
}
