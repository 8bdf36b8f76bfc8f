/** Logs of other systems, and one's own, as a trace. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import type { ImportOptions, Skipped, TraceLine, TraceSummary } from '@pagefault/lab';
import { type Command, Option } from 'commander';
import { formatNumber } from '../../terminal/index.js';
import type { Context } from '../shared/context.js';
import { createPrinter } from '../shared/print.js';
import { renderSummary } from './summary.js';
import { traceFileAt, writeWhole } from './write-trace.js';

interface Given {
  readonly out: string;
  readonly needs?: ImportOptions['needs'];
  readonly sidechains?: boolean;
  readonly names?: boolean;
  readonly json?: boolean;
}

export function addImport(lab: Command, context: Context): void {
  lab
    .command('import')
    .description(
      'make a trace of logs: goodai-ltm, locomo, beam, longmemeval, msc, sharegpt, wildchat, tau-bench, swe-bench, swe-agent, mooncake, tracelab, claude-code, codex, recording',
    )
    .argument('<source>', 'what the logs are of, or "detect"')
    .argument('<paths...>', 'files, or folders of them')
    .requiredOption('--out <file>', 'the trace')
    .addOption(
      new Option('--needs <kind>', 'which needs, where a source tells more than one kind').choices([
        'annotated',
        're-read',
        'derived',
      ]),
    )
    .option('--sidechains', 'take work that a session gave to others as sessions of their own')
    .option('--names', 'keep paths and calls of private logs as they are, instead of hashes')
    .option('--json', 'for programs: JSON on standard output')
    .action((source: string, paths: readonly string[], given: Given) =>
      importLogs(context, source, paths, given),
    );
}

async function importLogs(
  { io }: Context,
  name: string,
  given: readonly string[],
  { out, needs, sidechains = false, names = false, json = false }: Given,
): Promise<void> {
  const lab = await import('@pagefault/lab');
  const paths = given.map((path) => resolve(io.cwd, path.replace(/^~(?=\/|$)/, homedir())));
  const source = name === 'detect' ? await lab.detect(paths[0] ?? '') : lab.traceSource(name);
  const files = await lab.filesOf(source, paths);
  const target = await traceFileAt(io.cwd, out, files);
  const skipped: Skipped[] = [];
  const lines = lab.importTrace(source, files, {
    ...(needs && { needs }),
    sidechains: sidechains ? 'sessions' : 'left-out',
    hashed: !names,
    onSkipped: (one) => void skipped.push(one),
  });
  const counter = new lab.TraceCounter();
  const whole = withPages(lines, () => empty(source.name, files.length, skipped));
  await writeWhole(target, whole, (line) => counter.take(line));
  report(
    io,
    { source: source.name, needsFrom: source.needsFrom, files: files.length, skipped },
    counter.summary(),
    json,
  );
}

/** A trace without a page is no trace: whoever imports the wrong files should hear of it here, and not at the first study. */
async function* withPages(
  lines: AsyncIterable<TraceLine>,
  refusal: () => PagefaultError,
): AsyncGenerator<TraceLine> {
  let isEmpty = true;
  for await (const line of lines) {
    isEmpty &&= line.type !== 'page';
    yield line;
  }
  if (isEmpty) throw refusal();
}

function empty(source: string, files: number, skipped: readonly Skipped[]): PagefaultError {
  const why = Object.keys(countBy(skipped.map((one) => one.why)));
  return new PagefaultError('E_TRACE', `nothing of ${source} in ${formatNumber(files)} files`, {
    hint: why.length > 0 ? `passed over: ${why.join('; ')}` : 'see that they are the right ones',
  });
}

interface Work {
  readonly source: string;
  readonly needsFrom: string;
  readonly files: number;
  readonly skipped: readonly Skipped[];
}

function report(io: Context['io'], work: Work, summary: TraceSummary, json: boolean): void {
  const printer = createPrinter(io);
  const skipped = countBy(work.skipped.map(({ why }) => why));
  if (json) return printer.json({ ...work, skipped, ...summary });
  for (const [why, count] of Object.entries(skipped))
    printer.note(`${formatNumber(count)} passed over: ${why}`);
  printer.line(`${formatNumber(work.files)} files of ${work.source}`);
  printer.line(renderSummary(summary));
  printer.line(`where needs come from: ${work.needsFrom}`);
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
