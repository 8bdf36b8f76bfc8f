/** How pages are paged and billed in a simulation, as options: the same for every command that simulates. */
import { PagefaultError, type TokenPrices } from '@pagefault/contracts';
import type * as Lab from '@pagefault/lab';
import type { Contestant, Contexts, PagingSetup, Placement, Prefetch, Remains } from '@pagefault/lab';
import { type Command, Option } from 'commander';

/** Left out: the lab's defaults. */
export interface SetupOptions {
  readonly contexts?: Contexts;
  readonly flush?: string;
  readonly target?: string;
  readonly cold?: string;
  readonly remains?: Remains['kind'];
  readonly tombstone?: string;
  readonly summaryRatio?: string;
  readonly summaryMost?: string;
  readonly placement?: Placement;
  readonly prefetch?: Prefetch['kind'];
  readonly prefetchPages?: string;
  readonly retention?: string;
  readonly recall?: string;
  readonly notice?: string;
  readonly faultCalls?: boolean;
  readonly seed?: string;
  readonly prices: string;
}

export interface SimulationSetup {
  readonly setup: Partial<Omit<PagingSetup, 'budget'>>;
  readonly prices: TokenPrices;
}

/** Said again, so that `--help` loads no lab; the types keep them the same. */
const PLACEMENTS = ['tail', 'original', 'front'] as const satisfies readonly Placement[];
const PREFETCHES = [
  'none',
  'neighbour',
  'session',
  'object',
  'ranked',
  'oracle',
] as const satisfies readonly Prefetch['kind'][];
const CONTEXTS = ['session', 'one'] as const satisfies readonly Contexts[];
const REMAINS = ['nothing', 'tombstone', 'summary'] as const satisfies readonly Remains['kind'][];

export function addSetupOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--contexts <which>',
        'each session in a context of its own, or all in one (default: session)',
      ).choices(CONTEXTS),
    )
    .option('--flush <share>', 'a reclaim begins above this share of the budget (default: 1)')
    .option('--target <share>', 'and brings it down to this one (default: .5)')
    .option(
      '--cold <share>',
      'with a cold cache a reclaim begins above this share already (default: 1, never)',
    )
    .addOption(
      new Option('--remains <what>', 'what is left of pages that go (default: nothing)').choices(REMAINS),
    )
    .option('--tombstone <tokens>', 'the size of a tombstone (default: 50)')
    .option('--summary-ratio <ratio>', 'tokens of the summary a token that left (default: .1)')
    .option('--summary-most <tokens>', 'the most that a summary may have (default: 2000)')
    .addOption(
      new Option(
        '--placement <where>',
        'where a page that is read in comes to stand (default: tail)',
      ).choices(PLACEMENTS),
    )
    .addOption(
      new Option('--prefetch <what>', 'what is read in before it is missed (default: none)').choices(
        PREFETCHES,
      ),
    )
    .option('--prefetch-pages <number>', 'so many of them at most (default: 4)')
    .option('--retention <share>', 'assumed: needs that a summary meets, at each rewriting (default: 0)')
    .option('--recall <share>', 'assumed: faults in which the page is found (default: 1)')
    .option('--notice <share>', 'assumed: faults that are noticed without a tombstone (default: 1)')
    .option('--no-fault-calls', 'a fault costs no call of the model: the page is put in before it')
    .option('--seed <number>', 'of what is drawn (default: 1)')
    .option('--prices <model>', 'whose prices, from the price book', 'claude-sonnet-5-5');
}

/** Errors: `E_CONFIG` for what is no number, and for a model without prices, naming the option. */
export function readSetup(lab: typeof Lab, given: SetupOptions): SimulationSetup {
  const prices = lab.findPricesInBook(given.prices);
  const numbers = {
    flushShare: numberOf('--flush', given.flush),
    targetShare: numberOf('--target', given.target),
    coldShare: numberOf('--cold', given.cold),
    retention: numberOf('--retention', given.retention),
    recall: numberOf('--recall', given.recall),
    notice: numberOf('--notice', given.notice),
    seed: numberOf('--seed', given.seed),
    longAbove: prices.long?.above,
  };
  const remains = remainsOf(given);
  const prefetch = prefetchOf(given);
  const setup = {
    ...(given.contexts && { contexts: given.contexts }),
    ...withoutUndefined(numbers),
    ...(prefetch && { prefetch }),
    ...(given.placement && { placement: given.placement }),
    ...(remains && { remains }),
    ...(given.faultCalls === false && { callPerFault: false }),
  };
  return { setup, prices };
}

function prefetchOf({ prefetch: kind, prefetchPages }: SetupOptions): Prefetch | undefined {
  const pages = numberOf('--prefetch-pages', prefetchPages) ?? 4;
  return kind === undefined || kind === 'none' ? undefined : { kind, pages };
}

function remainsOf(given: SetupOptions): Remains | undefined {
  const tokens = numberOf('--tombstone', given.tombstone);
  const ratio = numberOf('--summary-ratio', given.summaryRatio);
  const most = numberOf('--summary-most', given.summaryMost);
  const kind =
    given.remains ??
    (ratio !== undefined || most !== undefined ? 'summary' : tokens === undefined ? undefined : 'tombstone');
  if (kind === 'tombstone') return { kind, tokens: tokens ?? 50 };
  if (kind === 'summary') return { kind, ratio: ratio ?? 0.1, most: most ?? 2_000 };
  return kind && { kind };
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new PagefaultError('E_CONFIG', `${option} is "${text}"; it must be a number`, {
    hint: `\`${option} .5\`, for example`,
  });
}

function withoutUndefined<T extends Readonly<Record<string, number | undefined>>>(
  values: T,
): { readonly [Name in keyof T]?: number } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof T]?: number;
  };
}

const NAMES = {
  flushShare: '--flush',
  targetShare: '--target',
  coldShare: '--cold',
  remains: '--remains',
  masking: 'masking',
} as const;

/** For people: which schemes do not follow which options. */
export function setupNotes(
  lab: typeof Lab,
  contestants: readonly Contestant[],
  { setup }: Pick<SimulationSetup, 'setup'>,
): string[] {
  return contestants.flatMap((one) => {
    const own = lab.ownOf(one, setup).map((name) => NAMES[name]);
    if (!lab.isScheme(one) || own.length === 0) return [];
    return [`${one.name} is a scheme with settings of its own: it does not follow ${own.join(', ')}`];
  });
}
