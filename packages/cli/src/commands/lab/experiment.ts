/** Runs what a request asks for. */
import { resolve } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import * as lab from '@pagefault/lab';
import type { Contestant, Experiment, PagingTrace } from '@pagefault/lab';
import type { Context } from '../shared/context.js';
import type { Io } from '../shared/io.js';
import { withPolicies } from '../shared/policies.js';
import { type Origin, policyOrigin, traceOrigin } from './origin.js';
import { loadContestants } from './policies.js';
import type { Request } from './request.js';
import { readSetup, setupNotes } from './setup.js';
import { runTasks } from './work/run-tasks.js';
import { Desk, type Task } from './work/task.js';

export interface Made {
  readonly experiment: Experiment;
  readonly origin: Origin;
}

/** Errors: `E_NOT_FOUND`, `E_TRACE`; `E_CONFIG` for an unknown policy, model or budget, and a trace that holds no step. */
export async function experimentOf(context: Context, request: Request, jobs?: number): Promise<Made> {
  const { loadPolicy } = await context.wiring();
  const policies = await loadContestants({ io: context.io, loadPolicy }, request.policies);
  return withPolicies(policies, (all) => conducted(context.io, request, all, jobs));
}

async function conducted(
  io: Io,
  request: Request,
  policies: readonly Contestant[],
  jobs: number | undefined,
): Promise<Made> {
  const { prices, setup } = readSetup(lab, request.setup);
  const file = resolve(io.cwd, request.traces[0] ?? '');
  const desk = new Desk(async (name) => policies[request.policies.indexOf(name)]);
  const trace = await traceOf(desk, file);
  const { budgets, leftOut } = lab.budgetsFor(trace, lab.budgetChoices(request.budgets));
  const names = [...request.policies, ...lab.FORESIGHT_NAMES];
  const tasks = budgets.flatMap((budget) =>
    names.map((policy): Task => ({ trace: file, policy, cwd: io.cwd, options: { ...setup, budget } })),
  );
  const size = tasks.length * (trace.times.length + trace.needs.length);
  const experiment = {
    facts: lab.factsOf(trace),
    model: request.setup.prices,
    prices,
    rows: await runTasks(io, desk, tasks, {
      label: request.command,
      size,
      ...(jobs !== undefined && { jobs }),
    }),
    bounds: [],
    notes: [...setupNotes(lab, policies, { setup }), ...notesOf(leftOut)],
  };
  const made = policies.map((policy, at) => policyOrigin(request.policies[at] ?? '', policy, io.cwd));
  const traces = [await traceOrigin(file, trace.header.id)];
  return { experiment, origin: { request, traces, policies: await Promise.all(made), setup, prices } };
}

export async function traceOf(desk: Desk, file: string): Promise<PagingTrace> {
  const trace = await desk.trace(file);
  if (trace.times.length > 0 && trace.tokens.length > 0) return trace;
  throw new PagefaultError('E_TRACE', `${file} holds no step with a page, so there is nothing to simulate`, {
    hint: '`pagefault lab check` tells what a trace holds',
  });
}

function notesOf(leftOut: readonly number[]): readonly string[] {
  if (leftOut.length === 0) return [];
  return [`left out, for no request could hold the largest page: budgets of ${leftOut.join(', ')} tokens`];
}
