/** A live process's run as a trace. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ImportOptions } from '@pagefault/lab';
import { type Command, Option } from 'commander';
import { chat } from '../chat.js';
import { findOrSpawn } from '../shared/agent.js';
import { type Context, withMachine } from '../shared/context.js';
import { unlessMissing } from '../shared/missing.js';
import { type CommonOptions, withMachineOptions, withProcess } from '../shared/options.js';
import { createPrinter } from '../shared/print.js';
import { renderSummary } from './summary.js';
import { traceFileAt, writeWhole } from './write-trace.js';

interface Given extends CommonOptions {
  readonly out: string;
  readonly needs?: ImportOptions['needs'];
}

export function addRecord(lab: Command, context: Context): void {
  withMachineOptions(withProcess(lab.command('record')))
    .description('talk to an agent, as `chat` does, and keep what its pager did as a trace')
    .requiredOption('--out <file>', 'the trace')
    .addOption(
      new Option(
        '--needs <kind>',
        'pages read again, or hits of searches instead (default: re-read)',
      ).choices(['re-read', 'derived']),
    )
    .addHelpText(
      'after',
      '\nOn a pipe each line is a message. The trace holds sizes, times and numbers of words, no text. With --record the\n' +
        'recording itself is kept too, for `rerun` and `lab replay`; it holds everything that was said.',
    )
    .action((given: Given) => record(context, given));
}

async function record(context: Context, given: Given): Promise<void> {
  const { io } = context;
  // Before anybody talks: a trace that has no place would be found out when all is said.
  const file = await traceFileAt(io.cwd, given.out);
  const isKept = given.record !== undefined;
  const folder = isKept ? resolve(io.cwd, given.record) : await mkdtemp(join(tmpdir(), 'pagefault-record-'));
  try {
    const before = isKept ? await recordingsIn(folder) : [];
    const options = { ...given, record: folder };
    const pid = await withMachine(
      context,
      options,
      async (machine) => {
        context.finish(await chat(context, options, machine));
        return (await findOrSpawn(machine.kernel, given.process)).pid;
      },
      true,
    );
    const made = (await recordingsIn(folder)).filter(
      (name) => name.startsWith(pid) && !before.includes(name),
    );
    const files = made.map((name) => join(folder, name));
    await writeTrace(context, files, file, given);
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/** A process that slept meanwhile has several recordings, in the order of their names. */
async function recordingsIn(folder: string): Promise<string[]> {
  // With --record it may not be there yet; it is made.
  const names = (await readdir(folder).catch(unlessMissing)) ?? [];
  return names.filter((name) => name.endsWith('.jsonl')).toSorted();
}

async function writeTrace(
  { io }: Context,
  files: readonly string[],
  file: string,
  { needs }: Given,
): Promise<void> {
  const lab = await import('@pagefault/lab');
  const printer = createPrinter(io);
  const lines = lab.importTrace(lab.traceSource('recording'), files, {
    ...(needs && { needs }),
    onSkipped: ({ why }) => printer.note(`passed over: ${why}`),
  });
  const counter = new lab.TraceCounter();
  await writeWhole(file, lines, (line) => counter.take(line));
  // Standard output has the answers.
  printer.note(renderSummary(counter.summary()));
}
