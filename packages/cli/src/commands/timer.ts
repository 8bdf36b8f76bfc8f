import { type Command, InvalidArgumentError } from 'commander';
import type { NewTimer, Timer } from '@pagefault/kernel';
import { formatDuration, formatTable, printable } from '../terminal/index.js';
import { type Context, withInspector } from './shared/context.js';
import { type CommonOptions, DEFAULT_PROCESS, withCommon, withProcess } from './shared/options.js';
import { createPrinter } from './shared/print.js';

export interface SetOptions extends CommonOptions {
  readonly at?: string;
  readonly in?: number;
  readonly every?: number;
  readonly cron?: string;
  readonly zone?: string;
  readonly id?: string;
}

/** Rows of the store: the program that holds it is asked, so that timers can be set beside a chat or a server. */
export function addTimer(program: Command, context: Context): void {
  const timer = program
    .command('timer')
    .description('what wakes a process by itself, while `serve` or `chat` runs');
  addSet(timer, context);
  addList(timer, context);
  addCancel(timer, context);
}

function addSet(parent: Command, context: Context): void {
  withCommon(withProcess(parent.command('set')))
    .description('set a timer: exactly one of --at, --in, --every, --cron')
    .argument('<text...>', 'what the process is told then')
    .option('--at <time>', 'once, such as 2026-03-01T09:00 in --zone, or with an offset')
    .option('--in <duration>', 'once, so long from now: 90s, 5m, 2h, 1d', duration)
    .option('--every <duration>', 'again and again', duration)
    .option('--cron <fields>', 'minute hour day-of-month month day-of-week, such as "0 9 * * 1-5"')
    .option('--zone <name>', 'time zone of --at and --cron, such as Europe/Berlin (default: of the process)')
    .option('--id <id>', 'a name for it; one that is there is replaced')
    .action(async (words: readonly string[], options: SetOptions) => {
      const timer = await withInspector(context, options, (inspector) =>
        inspector.setTimer(options.process ?? DEFAULT_PROCESS, toTimer(words.join(' '), options)),
      );
      const printer = createPrinter(context.io);
      if (options.json) return printer.json(timer);
      const wait = formatDuration(timer.dueAt - context.io.now());
      printer.line(`${timer.id} is due on ${time(timer.dueAt)}, in ${wait}`);
    });
}

function toTimer(text: string, { at, in: delay, every, cron, zone, id }: SetOptions): NewTimer {
  return {
    text,
    ...(at !== undefined && { at }),
    ...(delay !== undefined && { in: delay }),
    ...(every !== undefined && { every }),
    ...(cron !== undefined && { cron }),
    ...(zone !== undefined && { zone }),
    ...(id !== undefined && { id }),
  };
}

function addList(parent: Command, context: Context): void {
  withCommon(withProcess(parent.command('list')))
    .description('list the timers of a process, the next to fall due first')
    .action(async (options: CommonOptions) => {
      const name = options.process ?? DEFAULT_PROCESS;
      const timers = await withInspector(context, options, (inspector) => inspector.timers(name));
      const printer = createPrinter(context.io);
      if (options.json) return printer.json(timers);
      if (timers.length === 0) return printer.note('there is no timer; `pagefault timer set` sets one');
      printer.line(renderTimers(timers));
    });
}

function addCancel(parent: Command, context: Context): void {
  withCommon(withProcess(parent.command('cancel')))
    .description('end a timer, and withdraw what waits of it')
    .argument('<id>', 'as `timer list` shows it')
    .action(async (id: string, options: CommonOptions) => {
      const name = options.process ?? DEFAULT_PROCESS;
      await withInspector(context, options, (inspector) => inspector.cancelTimer(name, id));
      const printer = createPrinter(context.io);
      if (options.json) printer.json({ cancelled: id });
      else printer.line(`${id} is cancelled`);
    });
}

function renderTimers(timers: readonly Timer[]): string {
  return formatTable(
    [
      { title: 'id' },
      { title: 'due' },
      { title: 'schedule' },
      { title: 'set by' },
      { title: 'text', maxWidth: 60 },
    ],
    timers.map((timer) => [
      timer.id,
      time(timer.dueAt),
      scheduleOf(timer),
      timer.setBy,
      printable(timer.text).replaceAll(/\s+/g, ' '),
    ]),
  );
}

function scheduleOf({ schedule }: Timer): string {
  switch (schedule.kind) {
    case 'once':
      return 'once';
    case 'interval':
      return `every ${formatDuration(schedule.period)}`;
    case 'cron':
      return `${schedule.expression} ${schedule.zone}`;
  }
}

function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds. */
function duration(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([smhd])$/.exec(text.trim()) ?? [];
  const size = UNITS[unit];
  if (size !== undefined) return Number(number) * size;
  throw new InvalidArgumentError('It must be a number and a unit, such as 90s, 5m, 2h or 1d.');
}
