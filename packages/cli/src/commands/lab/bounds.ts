/** What no policy can do better: what is asked for a study, as tasks, and what the answers come to. */
import {
  type BoundFigures,
  type Contestant,
  isScheme,
  type LowerBounds,
  type PagingSetup,
  type PagingTrace,
  type PriceRatios,
  stepsToBound,
} from '@pagefault/lab';
import type { BoundTask } from './work/task.js';

type Setup = Partial<Omit<PagingSetup, 'budget'>>;

export interface Question extends Pick<BoundTask, 'trace' | 'ratios' | 'ask'> {
  readonly budget: number;
}

/** `ratio`: r, the price of a cached token against a plain one. */
export interface Bound extends BoundFigures {
  readonly trace: string;
  readonly ratio: number;
  /** Of the beginning of a run up to this step. */
  readonly step?: number;
  /** One a context. */
  readonly each: readonly LowerBounds[];
}

/** Steps of a run at which its bound so far is told, and of a long one, of which each takes seconds. */
const PLACES = { short: 24, long: 8 };
/** Steps and needs. */
const LONG = 20_000;

/** Of one trace. What looks into a run asks for what its chart shows. */
export function questionsOf(
  command: string,
  file: string,
  trace: PagingTrace,
  budgets: readonly number[],
  prices: readonly PriceRatios[],
): readonly Question[] {
  const asks = asksOf(command, trace);
  return budgets.flatMap((budget) =>
    prices.flatMap((ratios) => asks.map((ask) => ({ trace: file, budget, ratios, ask }))),
  );
}

function asksOf(command: string, trace: PagingTrace): readonly BoundTask['ask'][] {
  if (command === 'audit') return ['fault cost'];
  if (command !== 'timeline') return ['contexts'];
  const places = trace.times.length + trace.needs.length > LONG ? PLACES.long : PLACES.short;
  return stepsToBound(trace, places).map((step) => ({ step }));
}

/**
 * A scheme pages by settings of its own, which have a bound of their own; what knows the needs to come pages by the run's.
 * Each question is asked of all of these, and the least of the answers holds for all that are compared.
 */
export function boundTasks(
  questions: readonly Question[],
  contestants: readonly Contestant[],
  setup: Setup,
): readonly BoundTask[] {
  const setups = distinctSetups(contestants, setup);
  return questions.flatMap(({ budget, ...asked }) =>
    setups.map((one): BoundTask => ({ kind: 'bound', ...asked, setup: { ...one, budget } })),
  );
}

/** `answers` in the order of the tasks. */
export function boundsFrom(
  questions: readonly Question[],
  answers: readonly (readonly LowerBounds[])[],
): readonly Bound[] {
  const setups = answers.length / questions.length;
  return questions.map(({ trace, budget, ratios, ask }, at) => {
    const each = leastOf(answers.slice(at * setups, (at + 1) * setups));
    const sum = (name: keyof LowerBounds) => each.reduce((all, one) => all + one[name], 0);
    const step = typeof ask === 'object' && { step: ask.step };
    return { trace, budget, ratio: ratios.read, faults: sum('faults'), cost: sum('cost'), each, ...step };
  });
}

function leastOf(answers: readonly (readonly LowerBounds[])[]): readonly LowerBounds[] {
  const [first = []] = answers;
  return first.map((_, context) => ({
    faults: Math.min(...answers.map((each) => each[context]?.faults ?? 0)),
    cost: Math.min(...answers.map((each) => each[context]?.cost ?? 0)),
  }));
}

function distinctSetups(contestants: readonly Contestant[], setup: Setup): readonly Setup[] {
  const own = contestants.flatMap((one): Setup[] => (isScheme(one) ? [{ ...setup, ...one.setup }] : []));
  return [...new Map([setup, ...own].map((one) => [JSON.stringify(one), one])).values()];
}
