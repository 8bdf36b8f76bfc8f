/** Money: what replies cost, and the caps on it. Sums are whole millionths of a dollar, each reply rounded up. */
import type { MicroDollars, RowKey, TokenPrices, TokenRates, Tokens, Usage } from '@pagefault/contracts';
import type { Limits } from '../limits.js';
import type { Failure } from './outcome.js';
import type { ProcessState, Turn } from './state.js';

/** Two rows a process, so that what all of a store have spent is one scan: its turns' own, and what was spent beside them. */
export const SPEND_SPACE = 'spend';
export const SPEND_ROW: RowKey = { space: SPEND_SPACE, key: 'spend' };
export const BESIDE_ROW: RowKey = { space: SPEND_SPACE, key: 'beside' };

const MILLION = 1_000_000;
/** Below it a remainder is of binary fractions, not of prices. */
const ROUNDING = 1e-6;

/** Undefined when the provider did not say what was used: all zero means unknown. */
export function spendOf(
  { plain, cached, written, output }: Usage,
  prices: TokenPrices,
): MicroDollars | undefined {
  const input = plain + cached + written;
  if (input + output === 0) return undefined;
  const rates: TokenRates = prices.long && input > prices.long.above ? prices.long : prices;
  const exact = plain * rates.input + cached * rates.cached + written * rates.written + output * rates.output;
  return Math.ceil(exact - ROUNDING);
}

type Caps = Pick<Limits, 'turnSpend' | 'processSpend' | 'stackSpend'>;

export function hasSpendCap({ turnSpend, processSpend, stackSpend }: Caps): boolean {
  return [turnSpend, processSpend, stackSpend].some((cap) => cap !== undefined);
}

/** The cap of the turn or of the process that is reached, if one is. `beside`: what the process spent beside its turns. */
export function spendCap(
  { turn, head }: Pick<ProcessState, 'turn' | 'head'>,
  limits: Caps,
  beside: MicroDollars = 0,
): Failure | undefined {
  return (
    reached('this turn', turn?.spend ?? 0, 'turnSpend', limits) ??
    reached(`process ${head.pid}`, (head.counters.spend ?? 0) + beside, 'processSpend', limits)
  );
}

/** The cap of the turn in tokens, if it is reached. */
export function tokenCap({ tokens }: Pick<Turn, 'tokens'>, cap: Tokens): Failure | undefined {
  if (tokens < cap) return undefined;
  return {
    code: 'E_SPEND_CAP',
    message: `this turn used ${tokens} tokens, and limits.maxTurnTokens is ${cap}`,
    hint: 'raise limits.maxTurnTokens to go on',
  };
}

/** `total` is what all processes of the store have spent together. */
export function stackCap(total: MicroDollars, limits: Caps): Failure | undefined {
  return reached('the processes of this store', total, 'stackSpend', limits);
}

function reached(who: string, spent: MicroDollars, name: keyof Caps, limits: Caps): Failure | undefined {
  const cap = limits[name];
  if (cap === undefined || spent < cap * MILLION) return undefined;
  return {
    code: 'E_SPEND_CAP',
    message: `${who} spent ${inDollars(spent)}, and limits.${name} is ${inDollars(cap * MILLION)}`,
    hint: `raise limits.${name} to go on`,
  };
}

function inDollars(amount: MicroDollars): string {
  return `$${(amount / MILLION).toFixed(6).replace(/0{1,4}$/, '')}`;
}
