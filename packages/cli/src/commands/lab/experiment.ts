/** Runs what a request asks for. */
import { resolve } from 'node:path';
import { PagefaultError, type TokenPrices } from '@pagefault/contracts';
import * as lab from '@pagefault/lab';
import type { Contestant, Experiment, PagingTrace, PriceRatios, SweepOptions } from '@pagefault/lab';
import type { Context } from '../shared/context.js';
import type { Io } from '../shared/io.js';
import { withPolicies } from '../shared/policies.js';
import { type Bound, boundsFrom, boundTasks, questionsOf } from './bounds.js';
import { type Origin, policyOrigin, traceOrigin } from './origin.js';
import { loadContestants } from './policies.js';
import type { Request } from './request.js';
import { readSetup, setupNotes } from './setup.js';
import { runTasks } from './work/run-tasks.js';
import { Desk, type RunTask } from './work/task.js';

export interface Made {
  /** One a trace, in their order. */
  readonly experiments: readonly (Omit<Experiment, 'bounds'> & { readonly bounds: readonly Bound[] })[];
  readonly traces: readonly PagingTrace[];
  readonly origin: Origin;
}

/** Errors: `E_NOT_FOUND`, `E_TRACE`; `E_CONFIG` for an unknown policy, model or budget, and a trace that holds no step. */
export async function experimentOf(context: Context, request: Request, jobs?: number): Promise<Made> {
  const { loadPolicy } = await context.wiring();
  const policies = await loadContestants({ io: context.io, loadPolicy }, request.policies);
  return withPolicies(policies, (all) => conducted(context.io, request, all, jobs));
}

/** Studies that look into runs have one policy or a few, beside one that knows the needs to come. */
const LOOKS_INTO: ReadonlySet<string> = new Set(['timeline', 'audit', 'compare']);

async function conducted(
  io: Io,
  request: Request,
  policies: readonly Contestant[],
  jobs: number | undefined,
): Promise<Made> {
  const { prices, setup } = lookedAt(request);
  const files = request.traces.map((file) => resolve(io.cwd, file));
  const desk = new Desk(async (name) => policies[request.policies.indexOf(name)]);
  const traces = await Promise.all(files.map((file) => traceOf(desk, file)));
  const choices = lab.budgetChoices(request.budgets);
  const budgets = traces.map((trace) => lab.budgetsFor(trace, choices));
  const isDeep = LOOKS_INTO.has(request.command);
  const names = [...request.policies, ...(isDeep ? lab.FORESIGHT_NAMES.slice(0, 1) : lab.FORESIGHT_NAMES)];
  const options = { ...setup, events: isDeep, eachStep: isDeep };
  const runs = files.flatMap((trace, at) =>
    (budgets[at]?.budgets ?? []).flatMap((budget) =>
      names.map((policy): RunTask => {
        return { kind: 'run', trace, policy, cwd: io.cwd, options: { ...options, budget } };
      }),
    ),
  );
  const ratios = ratiosToBound(request, prices);
  const questions = traces.flatMap((trace, at) =>
    questionsOf(request.command, files[at] ?? '', trace, budgets[at]?.budgets ?? [], ratios),
  );
  const done = await runTasks(io, desk, [...runs, ...boundTasks(questions, policies, setup)], {
    label: request.command,
    size:
      traces.reduce((sum, trace, at) => sum + sizeOf(trace) * (budgets[at]?.budgets.length ?? 0), 0) *
      names.length,
    ...(jobs !== undefined && { jobs }),
  });
  const rows = done.flatMap((one) => (one.kind === 'run' ? [one.row] : []));
  const answers = done.flatMap((one) => (one.kind === 'bound' ? [one.each] : []));
  const bounds = boundsFrom(questions, answers);
  const leftOut = budgets.flatMap((one) => one.leftOut);
  const shared = {
    model: request.setup.prices,
    prices,
    notes: [...setupNotes(lab, policies, { setup }), ...notesOf(leftOut)],
  };
  const experiments = traces.map((trace, at) => ({
    ...shared,
    bounds: bounds.filter((one) => one.trace === files[at]),
    facts: lab.factsOf(trace),
    rows: rows.filter((_, n) => runs[n]?.trace === files[at]),
  }));
  // Together, so that no failure of one is left unheard while the other is awaited.
  const [tracesRead, policiesRead] = await Promise.all([
    Promise.all(traces.map((trace, at) => traceOrigin(files[at] ?? '', trace.header.id))),
    Promise.all(policies.map((policy, at) => policyOrigin(request.policies[at] ?? '', policy, io.cwd))),
  ]);
  const origin = { request, traces: tracesRead, policies: policiesRead, setup, prices };
  return { experiments, traces, origin };
}

function lookedAt(request: Request) {
  const { command, policies, budgets } = request;
  if (command === 'timeline' || command === 'audit') {
    if (policies.length !== 1) throw onlyOne(command, 'policy', policies);
    if (budgets.length !== 1 || budgets[0]?.includes('..')) throw onlyOne(command, 'budget', budgets);
  }
  if (command === 'compare' && policies.length < 2)
    throw new PagefaultError(
      'E_CONFIG',
      'compare takes two policies at least; others are held against the first',
      {
        hint: '`--policy lru,sieve`, for example',
      },
    );
  return readSetup(lab, request.setup);
}

function onlyOne(command: string, what: 'policy' | 'budget', given: readonly string[]): PagefaultError {
  return new PagefaultError(
    'E_CONFIG',
    `${command} looks at one run: it takes one ${what}, not ${given.join(' ') || 'none'}`,
    {
      hint: `\`--${what} ${what === 'policy' ? 'lru' : '25%'}\`, for example`,
    },
  );
}

/** The model's prices, or each price of cached tokens that a sweep tries. */
function ratiosToBound({ command, ...request }: Request, prices: TokenPrices): readonly PriceRatios[] {
  const model = lab.ratiosOf(prices);
  if (command !== 'sweep') return [model];
  const { ratios, fixed } = sweptRatios(request, prices);
  return ratios.map((read) => ({ ...fixed, read }));
}

/** r, w and q of a sweep. */
export function sweptRatios(
  { ratios = lab.SWEPT_RATIOS, written, output }: Pick<Request, 'ratios' | 'written' | 'output'>,
  prices: TokenPrices,
): Pick<SweepOptions, 'ratios' | 'fixed'> {
  const model = lab.ratiosOf(prices);
  return { ratios, fixed: { written: written ?? model.written, output: output ?? model.output } };
}

const sizeOf = ({ times, needs }: PagingTrace) => times.length + needs.length;

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
