/** From a request to what is shown. */
import { resolve } from 'node:path';
import {
  auditStudy,
  compareStudy,
  costStudy,
  curveStudy,
  leastRequests,
  type LeastRequests,
  PAGING_DEFAULTS,
  type PagingTrace,
  runStudy,
  type Study,
  sweepStudy,
  type TimelineBounds,
  timelineStudy,
} from '@pagefault/lab';
import type { Context } from '../shared/context.js';
import { createPrinter } from '../shared/print.js';
import { experimentOf, type Made, sweptRatios } from './experiment.js';
import type { Origin } from './origin.js';
import { printStudy } from './print-study.js';
import type { Given, Request } from './request.js';
import { checkFolder, writeStudy } from './write-study.js';

export interface Conducted {
  readonly study: Study;
  readonly origin: Origin;
  /** For programs, beside the rows. */
  readonly told: Readonly<Record<string, unknown>>;
}

export async function showStudy(context: Context, request: Request, given: Given): Promise<void> {
  const { io } = context;
  const folder = given.out === undefined ? undefined : resolve(io.cwd, given.out);
  // Before the work, not after it.
  if (folder !== undefined) await checkFolder(folder);
  const { study, origin, told } = await conduct(context, request, given.jobs);
  printStudy(io, study, { ...given, context: told });
  if (folder === undefined) return;
  const files = await writeStudy(folder, study, origin, io.cwd);
  createPrinter(io).note(`${given.out}: ${files.join(', ')}`);
}

/** Errors: those of `experimentOf`. */
export async function conduct(context: Context, request: Request, jobs?: number): Promise<Conducted> {
  const made = await experimentOf(context, request, jobs);
  const { experiments, origin } = made;
  const facts = experiments.map(({ facts: { id, judged } }) => ({ trace: id, needs: judged.needs }));
  const told = {
    ...(facts.length === 1 ? facts[0] : { traces: facts }),
    prices: origin.prices,
    setup: origin.setup,
  };
  return { study: studyOf(request, made), origin, told };
}

function studyOf(request: Request, { experiments, traces, origin }: Made): Study {
  const [experiment] = experiments;
  const [trace] = traces;
  if (experiment === undefined || trace === undefined) throw new RangeError('a study of no trace');
  switch (request.command) {
    case 'curve':
      return curveStudy(experiment);
    case 'cost':
      return costStudy(experiment);
    case 'sweep':
      return sweepStudy(
        { ...experiment, bounds: [] },
        { ...sweptRatios(request, origin.prices), bounds: experiment.bounds },
      );
    case 'timeline':
      return timelineStudy(experiment, timelineBounds(experiment, trace, origin));
    case 'audit': {
      const [bound] = experiment.bounds;
      return auditStudy(experiment, {
        ...PAGING_DEFAULTS,
        ...origin.setup,
        trace,
        ...(bound && { leastFaultCost: bound.cost }),
      });
    }
    case 'compare':
      return compareStudy({
        traces: traces.flatMap((one, at) => {
          const { bounds, facts, rows } = experiments[at] ?? experiment;
          return { trace: one, facts, rows, bounds };
        }),
        prices: origin.prices,
        notes: experiment.notes,
      });
    default:
      return runStudy(experiment);
  }
}

/** What holds for the run and for what knows the needs to come, which pages by the run's settings alone. */
function timelineBounds(
  { bounds, rows }: Made['experiments'][number],
  trace: PagingTrace,
  { policies, setup }: Origin,
): TimelineBounds {
  const soFar = bounds.flatMap(({ step, faults, cost }) =>
    step === undefined ? [] : [{ step, faults, cost }],
  );
  const budget = rows[0]?.budget ?? Number.NaN;
  const all = [setup, ...policies.map((one) => ({ ...setup, ...one.setup }))].map((one) =>
    leastRequests(trace, { ...one, budget }),
  );
  const least = (name: keyof LeastRequests) =>
    Float64Array.from(trace.times, (_, step) => Math.min(...all.map((one) => one[name][step] ?? 0)));
  return { soFar, least: { tokens: least('tokens'), written: least('written') } };
}
