import type { EvalOptions, EvalProgress, EvalReport } from '@pagefault/evals';
import type { Command } from 'commander';
import { createProgress, formatNumber, formatTable, type Progress } from '../terminal/index.js';
import type { Context } from './shared/context.js';
import type { Io } from './shared/io.js';
import { type CommonOptions, startOptions, wholeNumber } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { stoppable } from './shared/stop.js';

interface EvalCommandOptions extends CommonOptions {
  readonly sets?: string;
  readonly limit?: number;
}

export function addEval(program: Command, context: Context): void {
  program
    .command('eval')
    .description("run one of the paper's experiments or of today's benchmarks, through the real kernel")
    .argument('<name>', 'locomo-evidence, document-qa, nested-kv')
    .option('--sets <dir>', 'folder of the data sets (default: the variable PAGEFAULT_DATA)')
    .option(
      '--window <tokens>',
      'context window (default: the one that the evaluation names)',
      wholeNumber(1),
    )
    .option('--limit <n>', 'stop after so many questions', wholeNumber(1))
    .option('--config <file>', 'the stack to run on (default: the embedded store in a temporary folder)')
    .option('--json', 'for programs: JSON on standard output')
    .action((name: string, options: EvalCommandOptions) => evaluate(context.io, name, options));
}

async function evaluate(io: Io, name: string, options: EvalCommandOptions): Promise<void> {
  const { runEval } = await import('@pagefault/evals');
  const printer = createPrinter(io);
  const stages = new Stages(io);
  try {
    const report = await stoppable(io, 'nothing is kept of it', (signal) =>
      runEval(
        name,
        evalOptions(io, options, (progress) => stages.update(progress), signal),
      ),
    );
    stages.finish();
    if (options.json) printer.json(report);
    else printer.line(renderEval(report));
  } finally {
    stages.finish();
  }
}

function evalOptions(
  io: Io,
  options: EvalCommandOptions,
  onProgress: (progress: EvalProgress) => void,
  signal: AbortSignal,
): EvalOptions {
  const { sets, window, limit, config } = options;
  return {
    env: { ...io.env },
    onProgress,
    signal,
    ...(sets !== undefined && { data: sets }),
    ...(window !== undefined && { window }),
    ...(limit !== undefined && { limit }),
    ...(config !== undefined && { start: startOptions({ config }, io) }),
  };
}

/** One bar after the other, a stage each. */
class Stages {
  readonly #io: Io;
  #stage = '';
  #progress: Progress | undefined;

  constructor(io: Io) {
    this.#io = io;
  }

  update({ stage, done, total }: EvalProgress): void {
    if (stage !== this.#stage) this.#begin(stage, total);
    this.#progress?.update(done);
  }

  finish(): void {
    this.#progress?.finish();
    this.#progress = undefined;
  }

  #begin(stage: string, total: number): void {
    this.finish();
    this.#stage = stage;
    const { stderr: stream, now } = this.#io;
    this.#progress = createProgress({ stream, now, label: stage, unit: 'steps', total });
  }
}

function renderEval({ title, columns, rows, figures }: EvalReport): string {
  const isNumeric = (index: number) => rows.some((row) => typeof row[index] === 'number');
  const table = formatTable(
    columns.map((name, index) => ({ title: name, align: isNumeric(index) ? 'right' : 'left' })),
    rows.map((row) => row.map(cell)),
  );
  const values = Object.entries(figures).map(([name, value]) => [name, cell(value)]);
  const summary = formatTable([{ title: 'figure' }, { title: '', align: 'right' }], values);
  return [title, table, ...(values.length > 0 ? [summary] : [])].join('\n\n');
}

function cell(value: string | number): string {
  if (typeof value === 'string') return value;
  return formatNumber(value, Number.isInteger(value) ? 0 : 3);
}
