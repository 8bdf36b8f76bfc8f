/** The studies of policies by budgets on one trace: run, curve, cost and sweep. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../shared/context.js';
import { positiveNumber } from '../shared/options.js';
import { type Given, type Request, requestOf, withStudyOptions } from './request.js';

interface SweepGiven extends Given {
  readonly ratios?: readonly number[];
  readonly writeRatio?: number;
  readonly outputRatio?: number;
}

export const TRACE = 'a trace, as `lab import` writes it; may be packed (.gz, .zst)';
const RANGE = ['5%..100%:10'];

export function addRun(lab: Command, context: Context): void {
  const command = lab
    .command('run')
    .description('what policies do on a trace: faults, evictions, and what all of it costs')
    .argument('<trace>', TRACE);
  withStudyOptions(command, ['10%', '25%']).action((file: string, given: Given) =>
    show(context, requestOf('run', [file], given), given),
  );
}

export function addCurve(lab: Command, context: Context): void {
  const command = lab
    .command('curve')
    .description('how many needs are faults, over budgets, with what no policy can do better')
    .argument('<trace>', TRACE);
  withStudyOptions(command, RANGE).action((file: string, given: Given) =>
    show(context, requestOf('curve', [file], given), given),
  );
}

export function addCost(lab: Command, context: Context): void {
  const command = lab
    .command('cost')
    .description('what all of it costs, over budgets, and which runs have no better: fewer faults for less')
    .argument('<trace>', TRACE);
  withStudyOptions(command, RANGE).action((file: string, given: Given) =>
    show(context, requestOf('cost', [file], given), given),
  );
}

export function addSweep(lab: Command, context: Context): void {
  const command = lab
    .command('sweep')
    .description(
      'which policy is the cheapest, as cached tokens go from cheap to dear, and where rankings flip',
    )
    .argument('<trace>', TRACE)
    .option('--ratios <list>', 'of r, the price of a cached token against a plain one', ratioList)
    .option(
      '--write-ratio <w>',
      "price of a written token against a plain one; default: the model's",
      positiveNumber,
    )
    .option(
      '--output-ratio <q>',
      "price of a token of output against a plain one; default: the model's",
      positiveNumber,
    );
  withStudyOptions(command, ['10%', '25%']).action((file: string, given: SweepGiven) =>
    show(context, sweepRequest(file, given), given),
  );
}

function sweepRequest(file: string, { ratios, writeRatio, outputRatio, ...given }: SweepGiven): Request {
  return {
    ...requestOf('sweep', [file], given),
    ...(ratios && { ratios }),
    ...(writeRatio !== undefined && { written: writeRatio }),
    ...(outputRatio !== undefined && { output: outputRatio }),
  };
}

/** Apart by commas or spaces; ascending, each once. */
function ratioList(text: string): readonly number[] {
  const ratios = [...new Set(text.split(/[,\s]+/).map(positiveNumber))].toSorted((a, b) => a - b);
  if (ratios.length >= 2) return ratios;
  throw new InvalidArgumentError('It must be two numbers at least, such as .02,.1,1.');
}

export function addTimeline(lab: Command, context: Context): void {
  const command = lab
    .command('timeline')
    .description(
      'one policy at one budget, step by step: what is resident, faults, leaves, is read and written',
    )
    .argument('<trace>', TRACE);
  withStudyOptions(command, ['25%'], ['lru']).action((file: string, given: Given) =>
    show(context, requestOf('timeline', [file], given), given),
  );
}

export function addAudit(lab: Command, context: Context): void {
  const command = lab
    .command('audit')
    .description(
      'one policy at one budget, page by page: when each left, when it was needed, and what that cost',
    )
    .argument('<trace>', TRACE);
  withStudyOptions(command, ['25%'], ['lru']).action((file: string, given: Given) =>
    show(context, requestOf('audit', [file], given), given),
  );
}

export function addCompare(lab: Command, context: Context): void {
  const command = lab
    .command('compare')
    .description('policies against the first of them, session by session, and which pages decided')
    .argument('<traces...>', 'traces, as `lab import` writes them; may be packed (.gz, .zst)');
  withStudyOptions(command, ['25%'], ['lru', 'fifo']).action((files: readonly string[], given: Given) =>
    show(context, requestOf('compare', files, given), given),
  );
}

/** The lab is loaded when it is needed, so that `--help` is quick. */
async function show(context: Context, request: Request, given: Given): Promise<void> {
  const { showStudy } = await import('./show-study.js');
  await showStudy(context, request, given);
}
