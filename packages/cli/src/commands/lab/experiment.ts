/** Runs what a request asks for. */
import { resolve } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import * as lab from '@pagefault/lab';
import type { Experiment, PagingSetup, PagingTrace } from '@pagefault/lab';
import type { Context } from '../shared/context.js';
import { loadContestants } from './policies.js';
import type { Request } from './request.js';
import { readSetup, setupNotes } from './setup.js';

export interface Conducted extends Experiment {
  readonly setup: Partial<Omit<PagingSetup, 'budget'>>;
}

/** Errors: `E_NOT_FOUND`, `E_TRACE`; `E_CONFIG` for an unknown policy, model or budget, and a trace that holds no step. */
export async function experimentOf(context: Context, request: Request): Promise<Conducted> {
  const { prices, setup } = readSetup(lab, request.setup);
  const policies = await loadContestants(context, request.policies);
  const trace = await traceOf(resolve(context.io.cwd, request.traces[0] ?? ''));
  const { budgets, leftOut } = lab.budgetsFor(trace, lab.budgetChoices(request.budgets));
  const choices = budgets.map((tokens) => ({ tokens }));
  return {
    facts: lab.factsOf(trace),
    model: request.setup.prices,
    prices,
    setup,
    rows: [...lab.runGrid(trace, { policies, budgets: choices, setup })],
    bounds: [],
    notes: [...setupNotes(lab, policies, { setup }), ...notesOf(leftOut)],
  };
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
