/** Runs what a request asks for. */
import { resolve } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import * as lab from '@pagefault/lab';
import type { Contestant, Experiment, PagingTrace } from '@pagefault/lab';
import type { Context } from '../shared/context.js';
import { withPolicies } from '../shared/policies.js';
import { type Origin, policyOrigin, traceOrigin } from './origin.js';
import { loadContestants } from './policies.js';
import type { Request } from './request.js';
import { readSetup, setupNotes } from './setup.js';

export interface Made {
  readonly experiment: Experiment;
  readonly origin: Origin;
}

/** Errors: `E_NOT_FOUND`, `E_TRACE`; `E_CONFIG` for an unknown policy, model or budget, and a trace that holds no step. */
export async function experimentOf(context: Context, request: Request): Promise<Made> {
  const policies = await loadContestants(context, request.policies);
  return withPolicies(policies, (all) => conducted(context, request, all));
}

async function conducted(context: Context, request: Request, policies: readonly Contestant[]): Promise<Made> {
  const { cwd } = context.io;
  const { prices, setup } = readSetup(lab, request.setup);
  const file = resolve(cwd, request.traces[0] ?? '');
  const trace = await traceOf(file);
  const { budgets, leftOut } = lab.budgetsFor(trace, lab.budgetChoices(request.budgets));
  const choices = budgets.map((tokens) => ({ tokens }));
  const experiment = {
    facts: lab.factsOf(trace),
    model: request.setup.prices,
    prices,
    rows: [...lab.runGrid(trace, { policies, budgets: choices, setup })],
    bounds: [],
    notes: [...setupNotes(lab, policies, { setup }), ...notesOf(leftOut)],
  };
  const made = policies.map((policy, at) => policyOrigin(request.policies[at] ?? '', policy, cwd));
  const traces = [await traceOrigin(file, trace.header.id)];
  return { experiment, origin: { request, traces, policies: await Promise.all(made), setup, prices } };
}

async function traceOf(file: string): Promise<PagingTrace> {
  const trace = await lab.loadTrace(file);
  if (trace.times.length > 0 && trace.tokens.length > 0) return trace;
  throw new PagefaultError('E_TRACE', `${file} holds no step with a page, so there is nothing to simulate`, {
    hint: '`pagefault lab check` tells what a trace holds',
  });
}

function notesOf(leftOut: readonly number[]): readonly string[] {
  if (leftOut.length === 0) return [];
  return [`left out, for no request could hold the largest page: budgets of ${leftOut.join(', ')} tokens`];
}
