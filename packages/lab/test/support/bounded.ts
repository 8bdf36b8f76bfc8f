/** Small traces of every kind, and the least that any choice of evictions comes to on them. */
import type { PageId } from '@pagefault/contracts';
import type { PagingPolicy } from '@pagefault/kernel';
import fc from 'fast-check';
import {
  billed,
  CONTEXTS,
  inputEquivalents,
  type PagingReport,
  type PagingSetup,
  type PagingTrace,
  PLACEMENTS,
  type PriceRatios,
  simulatePaging,
  whole,
} from '../../src/index.js';
import { collected } from './lines.js';

export interface StepRow {
  /** Of the pages that are born. */
  readonly sizes: readonly number[];
  /** How far back what is needed lies. */
  readonly backs: readonly number[];
  readonly isPinned: boolean;
  readonly wait: number;
  /** Of a session. */
  readonly isEnd: boolean;
  /** So many of the pages came before that end, and after the session's last step. */
  readonly late: number;
}

export const stepRows = (
  size: fc.Arbitrary<number>,
  { least, steps, births, needs }: Readonly<Record<'least' | 'steps' | 'births' | 'needs', number>>,
) =>
  fc.array(
    fc.record({
      sizes: fc.array(size, { maxLength: births }),
      backs: fc.array(fc.nat({ max: 8 }), { maxLength: needs }),
      isPinned: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
      wait: fc.constantFrom(1, 1, 1, 400_000),
      isEnd: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
      late: fc.nat({ max: 1 }),
    }),
    { minLength: least, maxLength: steps },
  );

const KINDS = ['user', 'assistant', 'tool_result'] as const;

export function tracedRows(rows: readonly StepRow[]): Promise<PagingTrace> {
  let [id, ms] = [0, 0];
  return collected(
    ...rows.flatMap(({ sizes, backs, isPinned, wait, isEnd, late }, step) => {
      ms += wait;
      const pages = sizes.map((tok) => {
        return { type: 'page', id, step, tok, kind: KINDS[id++ % 3], ...(isPinned && { pin: true }) };
      });
      const needs = backs
        .filter((back) => back < id)
        .map((back) => ({ id: id - 1 - back, why: 'annotated' }));
      const end = isEnd ? [{ type: 'boundary', step, kind: 'session_end' }] : [];
      return [
        ...pages.slice(0, late),
        ...end,
        ...pages.slice(late),
        { type: 'step', i: step, ms, out: 7, needs },
      ];
    }),
  );
}

export const setups: fc.Arbitrary<Omit<PagingSetup, 'budget'>> = fc
  .record({
    contexts: fc.constantFrom(...CONTEXTS),
    placement: fc.constantFrom('tail' as const, ...PLACEMENTS),
    prefetch: fc.constantFrom(
      ...Array.from({ length: 6 }, () => ({ kind: 'none' as const })),
      { kind: 'neighbour' as const, pages: 1 },
      { kind: 'oracle' as const, pages: 2 },
    ),
    flushShare: fc.constantFrom(1, 0.9, 0.6),
    target: fc.constantFrom(1, 0.8, 0.5, 0.1),
    coldShare: fc.constantFrom(1, 0.7, 0.2),
    remains: fc.constantFrom(
      { kind: 'nothing' as const },
      { kind: 'tombstone' as const, tokens: 5 },
      { kind: 'summary' as const, ratio: 0.3, most: 20 },
      { kind: 'summary' as const, ratio: 0.1, most: 10 },
    ),
    masking: fc.constantFrom(undefined, undefined, { above: 0, tokens: 3 }, { above: 0.5, tokens: 8 }),
    retention: fc.constantFrom(0, 0, 0.5),
    callPerFault: fc.boolean(),
    faultOutput: fc.constantFrom(0, 100),
    recall: fc.constantFrom(1, 1, 0.5),
    notice: fc.constantFrom(1, 1, 0.5),
    cache: fc.record({
      timeToLive: fc.constant(300_000),
      least: fc.constantFrom(0, 50),
      granule: fc.constantFrom(1, 16),
    }),
    longAbove: fc.constantFrom(Infinity, 60),
    seed: fc.nat({ max: 99 }),
  })
  .map(({ target, masking, ...rest }) => {
    return { ...rest, targetShare: target * rest.flushShare, ...(masking && { masking }) };
  });

export const ratios: fc.Arbitrary<PriceRatios> = fc.constantFrom(
  { read: 0.05, written: 1.25, output: 5 },
  { read: 0.02, written: 1, output: 4 },
  { read: 1, written: 1, output: 5 },
  { read: 0.5, written: 0, output: 1 },
);

export function costOf(report: PagingReport, prices: PriceRatios): number {
  return inputEquivalents(whole(billed(report)), prices);
}

/** Each row of choices once: at each reclaim every set of eligible pages that is enough, or all. Undefined: too many. */
export function everyReport(
  trace: PagingTrace,
  setup: PagingSetup,
  most: number,
): readonly PagingReport[] | undefined {
  const reports: PagingReport[] = [];
  let choices: number[] = [];
  for (;;) {
    if (reports.length === most) return undefined;
    const policy = new ChoosingPolicy(choices);
    reports.push(simulatePaging(trace, policy, setup));
    const next = policy.next();
    if (!next) return reports;
    choices = next;
  }
}

/** Takes the choices that it was given, then the first of each; tells which row of choices comes next. */
class ChoosingPolicy implements PagingPolicy {
  readonly id = 'choosing';
  readonly version = 1;
  readonly #given: readonly number[];
  readonly #made: { choice: number; of: number }[] = [];
  readonly #resident = new Set<PageId>();

  constructor(given: readonly number[]) {
    this.#given = given;
  }

  configure(): void {}
  onNeed(): void {}
  onBirth({ id }: { readonly id: PageId }): void {
    this.#resident.add(id);
  }
  onResidency(id: PageId): void {
    this.#resident.delete(id);
  }

  victims({ release, isEligible, tokensOf }: Parameters<PagingPolicy['victims']>[0]): readonly PageId[] {
    const eligible = [...this.#resident].filter((id) => isEligible(id));
    const size = (pages: readonly PageId[]) => pages.reduce((sum, id) => sum + (tokensOf?.(id) ?? 0), 0);
    const sets = Array.from({ length: 2 ** eligible.length }, (_, bits) =>
      eligible.filter((_page, at) => ((bits >> at) & 1) === 1),
    ).filter((pages) => pages.length === eligible.length || size(pages) >= release);
    const choice = this.#given[this.#made.length] ?? 0;
    this.#made.push({ choice, of: sets.length });
    return sets[choice] ?? [];
  }

  next(): number[] | undefined {
    const last = this.#made.findLastIndex(({ choice, of }) => choice + 1 < of);
    if (last < 0) return undefined;
    return this.#made.slice(0, last + 1).map(({ choice }, at) => choice + (at === last ? 1 : 0));
  }

  snapshot(): Uint8Array {
    return new Uint8Array();
  }
  restore(): boolean {
    return false;
  }
}
