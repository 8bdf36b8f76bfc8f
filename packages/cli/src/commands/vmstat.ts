import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Inspector, MachineStats } from '@pagefault/wiring';
import { formatDollars, formatNumber } from '../terminal/index.js';
import { renderBills } from './shared/bills.js';
import { type Context, withInspector } from './shared/context.js';
import { type CommonOptions, positiveNumber, wholeNumber, withCommon } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { stoppable } from './shared/stop.js';

export interface VmstatOptions extends CommonOptions {
  /** Seconds. */
  readonly interval?: number;
  readonly count?: number;
}

export function addVmstat(program: Command, context: Context): void {
  withCommon(program.command('vmstat'))
    .description('show what paging does, over all processes')
    .option('--interval <seconds>', 'look again and again', positiveNumber)
    .option('--count <n>', 'how often; default: once, with --interval until Ctrl-C', wholeNumber(1))
    .addHelpText(
      'after',
      '\nThe first row counts from the beginning, each further one from the row before.\nWithout --interval a second table says who charges what.\nWith --json each line counts from the beginning.',
    )
    .action((options: VmstatOptions) =>
      withInspector(context, options, (inspector) => watch(context, options, inspector)),
    );
}

async function watch({ io }: Context, options: VmstatOptions, inspector: Inspector): Promise<void> {
  const printer = createPrinter(io);
  const { interval, json = false, count = interval === undefined ? 1 : Number.POSITIVE_INFINITY } = options;
  let before: MachineStats | undefined;
  await stoppable(io, 'the numbers above are right', async (signal) => {
    for (let row = 0; row < count; row += 1) {
      if (row > 0)
        await sleep((interval ?? 1) * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
      const stats = await inspector.vmstat();
      if (json) printer.json({ at: io.now(), ...stats });
      else {
        if (row % ROWS_PER_TITLE === 0)
          printer.line(printer.colours.dim(cells(COLUMNS.map(([title]) => title))));
        printer.line(cells(COLUMNS.map(([, of, format = formatNumber]) => format(of(stats, before)))));
      }
      if (!json && interval === undefined && Object.keys(stats.bills).length > 0)
        printer.line(`\n${renderBills(stats.bills)}`);
      before = stats;
    }
  });
}

/** As often as the titles scroll out of a small terminal. */
const ROWS_PER_TITLE = 20;

type Measure = (now: MachineStats, before: MachineStats | undefined) => number;
type CounterName = keyof MachineStats['counters'];

function since(name: CounterName): Measure {
  return (now, before) => (now.counters[name] ?? 0) - (before?.counters[name] ?? 0);
}

const COLUMNS: readonly (readonly [title: string, measure: Measure, format?: (value: number) => string])[] = [
  ['procs', (now) => now.processes],
  ['messages', (now) => now.messages],
  ['passages', (now) => now.passages],
  ['turns', since('turns')],
  ['cycles', since('cycles')],
  ['warned', since('warnings')],
  ['flushes', since('flushes')],
  ['evicted', since('evicted')],
  ['stubs', since('stubs')],
  ['needs', since('needs')],
  ['faults', since('faults')],
  ['tok in', since('input')],
  ['cached', since('cached')],
  ['tok out', since('output')],
  ['spent', (now, before) => now.spend - (before?.spend ?? 0), formatDollars],
];

// Fixed, since later rows are not known: a gap, and seven digits with their commas.
const WIDTH = 10;

export function cells(values: readonly string[]): string {
  // A number that is wider still moves what follows, and touches nothing.
  return values.map((value) => ` ${value.padStart(WIDTH - 1)}`).join('');
}
