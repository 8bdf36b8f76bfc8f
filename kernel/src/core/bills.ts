/** What requests used and cost, by who charges them: turns, summaries, and what came to nothing. */
import type { Bill, MicroDollars, Reply, Tokens, Usage } from '@pagefault/contracts';

/** Sums since the process was made. */
export interface BillSum {
  readonly requests: number;
  readonly input: Tokens;
  /** Of the input. */
  readonly cached: Tokens;
  readonly output: Tokens;
  /** By the prices that are known. Left out while there was nothing to add up. */
  readonly spend?: MicroDollars;
  /** So many of the requests were billed by nobody knows how much: no usage was told, or no price is known. Default 0. */
  readonly unknown?: number;
}

/** By the name of the processor or embedder. */
export type Bills = Readonly<Record<string, BillSum>>;

/** With the name of who charges it. */
export type NamedBill = Bill & { readonly by: string };

/** What it cost. */
export interface Billed {
  readonly bills?: readonly NamedBill[];
  /** Their sum, of recordings that have no bills. */
  readonly spend?: MicroDollars;
}

export function named(bills: readonly Bill[], by: string): NamedBill[] {
  return bills.map((bill) => ({ ...bill, by: bill.by ?? by }));
}

export function inputOf({ plain, cached, written }: Usage): Tokens {
  return plain + cached + written;
}

export function billOf({ usage, spend }: Reply): Bill {
  return { usage, ...(spend !== undefined && { spend }) };
}

export function spendIn(bills: readonly Pick<Bill, 'spend'>[]): MicroDollars {
  return bills.reduce((sum, { spend = 0 }) => sum + spend, 0);
}

export function withBill(bills: Bills, { by, usage, spend }: NamedBill): Bills {
  return mergeBills(bills, {
    [by]: {
      requests: 1,
      input: inputOf(usage),
      cached: usage.cached,
      output: usage.output,
      ...(spend === undefined ? { unknown: 1 } : { spend }),
    },
  });
}

export function mergeBills(some: Bills, more: Bills): Bills {
  const merged = Object.entries(more).map(([by, sum]) => [by, add(some[by], sum, 1)] as const);
  return { ...some, ...Object.fromEntries(merged) };
}

/** What came on top of `before`. */
export function billsSince(before: Bills, after: Bills): Bills {
  const grown = Object.entries(after).filter(([by, { requests }]) => requests > (before[by]?.requests ?? 0));
  return Object.fromEntries(grown.map(([by, sum]) => [by, add(sum, before[by], -1)]));
}

const NOTHING: BillSum = { requests: 0, input: 0, cached: 0, output: 0 };

function add(one: BillSum = NOTHING, other: BillSum = NOTHING, sign: 1 | -1): BillSum {
  const spend = (one.spend ?? 0) + sign * (other.spend ?? 0);
  const unknown = (one.unknown ?? 0) + sign * (other.unknown ?? 0);
  return {
    requests: one.requests + sign * other.requests,
    input: one.input + sign * other.input,
    cached: one.cached + sign * other.cached,
    output: one.output + sign * other.output,
    ...(spend > 0 && { spend }),
    ...(unknown > 0 && { unknown }),
  };
}

export function spendOfBills(bills: Bills): MicroDollars {
  return Object.values(bills).reduce((sum, { spend = 0 }) => sum + spend, 0);
}
