import type { Kernel } from '@pagefault/kernel';
import { countMessages, readTranscript } from '@pagefault/transcripts';
import type { Command } from 'commander';
import { createProgress } from '../terminal/index.js';
import { type FedBatch, Feeder } from './feed/feeder.js';
import { createMeter } from './feed/meter.js';
import { measure, renderFed } from './feed/report.js';
import { unreadLines } from './feed/unread.js';
import { type Context, withMachine } from './shared/context.js';
import type { Io } from './shared/io.js';
import type { Machine } from './shared/machine.js';
import { type CommonOptions, withMachineOptions, withProcess } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { settleIndex } from './shared/settle.js';
import { stoppable } from './shared/stop.js';

export interface FeedOptions extends CommonOptions {
  readonly respond?: boolean;
  readonly ack?: boolean;
  readonly index: boolean;
}

export function addFeed(program: Command, context: Context): void {
  withMachineOptions(withProcess(program.command('feed'), 'one for each conversation, of its name'))
    .description('take transcripts in: LoCoMo sessions, BEAM messages, or JSON lines of role and text')
    .argument('<files...>')
    .option(
      '--respond',
      'send the user messages, so that the processor answers them, instead of appending them',
    )
    .option('--no-index', 'do not wait until the messages can be found by meaning')
    .option('--ack', 'print a JSON line with the last message of each batch as soon as it is durable')
    .addHelpText(
      'after',
      '\nMessages are stored once, by their ids: running it again goes on where it was stopped. A request is laid out\n' +
        'for every message, and nothing is inferred without --respond.',
    )
    .action((files: readonly string[], options: FeedOptions) =>
      withMachine(context, options, (machine) => feed(context, files, options, machine)),
    );
}

export async function feed(
  { io }: Context,
  files: readonly string[],
  options: FeedOptions,
  { kernel }: Pick<Machine, 'kernel'>,
): Promise<void> {
  await stoppable(io, 'run the same command again to go on', async (signal) => {
    await feedAll(io, files, options, kernel, signal);
    if (options.index) await settleIndex(io, kernel, signal);
  });
}

/** What was done is told also when it was stopped or failed. */
async function feedAll(
  io: Io,
  files: readonly string[],
  options: FeedOptions,
  kernel: Kernel,
  signal: AbortSignal,
): Promise<void> {
  const start = io.now();
  // Reads everything once, so that a bad line is found before anything is stored.
  const total = await countAll(io, files, signal);
  const progress = createProgress({ stream: io.stderr, label: 'feed', unit: 'messages', total, now: io.now });
  let done = 0;
  const meter = createMeter(kernel.bus, () => progress.update((done += 1)));
  const onBatch = (batch: FedBatch) => {
    progress.update((done += batch.skipped));
    if (options.ack) createPrinter(io).json({ type: 'ack', ...batch });
  };
  const { process: processName, respond = false } = options;
  const feeder = new Feeder({ kernel, signal, onBatch, processName, respond });
  const tell = async () => {
    progress.finish();
    meter.close();
    report(io, options, await measure(feeder.conversations.values(), meter), io.now() - start);
  };
  try {
    for (const file of files) for await (const message of readTranscript(file)) await feeder.add(message);
    await feeder.finish();
  } catch (error) {
    await tell().catch((problem: unknown) =>
      createPrinter(io).note(`what was done is not known: ${String(problem)}`),
    );
    throw error;
  }
  await tell();
}

async function countAll(io: Io, files: readonly string[], signal: AbortSignal): Promise<number> {
  let total = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const unread = new Map<string, number>();
    total += await countMessages(file, (key) => unread.set(key, (unread.get(key) ?? 0) + 1));
    for (const line of unreadLines(file, unread)) createPrinter(io).note(line);
  }
  return total;
}

/** With `--ack` standard output is for programs, so that people are told on the other one. */
function report(
  io: Io,
  { json, ack, respond }: FeedOptions,
  fed: Awaited<ReturnType<typeof measure>>,
  milliseconds: number,
): void {
  const printer = createPrinter(io);
  if (json) return printer.json({ type: 'report', milliseconds, conversations: fed });
  if (fed.length === 0) return printer.note('there was no message');
  const table = renderFed(fed, respond === true, printer.colours);
  if (ack) printer.note(table);
  else printer.line(table);
}
