/** From a request to what is shown. */
import {
  costStudy,
  curveStudy,
  type Experiment,
  ratiosOf,
  runStudy,
  type Study,
  type SweepOptions,
  sweepStudy,
  SWEPT_RATIOS,
} from '@pagefault/lab';
import type { Context } from '../shared/context.js';
import { experimentOf } from './experiment.js';
import { printStudy } from './print-study.js';
import type { Given, Request } from './request.js';

export async function showStudy(context: Context, request: Request, given: Given): Promise<void> {
  const experiment = await experimentOf(context, request);
  const { facts, prices, setup } = experiment;
  const told = { trace: facts.id, needs: facts.judged.needs, prices, setup };
  printStudy(context.io, studyOf(request, experiment), { ...given, context: told });
}

function studyOf(request: Request, experiment: Experiment): Study {
  switch (request.command) {
    case 'curve':
      return curveStudy(experiment);
    case 'cost':
      return costStudy(experiment);
    case 'sweep':
      return sweepStudy(experiment, sweepOptions(request, experiment));
    default:
      return runStudy(experiment);
  }
}

function sweepOptions(
  { ratios = SWEPT_RATIOS, written, output }: Request,
  { prices }: Experiment,
): SweepOptions {
  const model = ratiosOf(prices);
  return { ratios, fixed: { written: written ?? model.written, output: output ?? model.output } };
}
