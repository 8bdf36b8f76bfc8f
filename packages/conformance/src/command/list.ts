import { type Initializer, SUITE_KINDS, type SuiteKind } from '../initializer.js';
import type { Io } from './io.js';
import { choose } from './only.js';

interface ListOptions {
  readonly only: readonly string[];
  readonly json?: true;
}

/** The cases that would be run; of all suites when no file is named. */
export function list(initializers: readonly Initializer[] | undefined, options: ListOptions, io: Io): void {
  const suites = choose(initializers ?? SUITE_KINDS.map(bare), options.only).map(
    ({ initializer, trials }) => ({
      kind: initializer.kind,
      ...(initializers && { name: initializer.name }),
      cases: trials.map(({ name, lacks }) => ({
        name,
        ...(initializers && lacks !== undefined && { skipped: lacks }),
      })),
    }),
  );
  if (options.json) return void io.stdout.write(`${JSON.stringify({ suites }, null, 2)}\n`);
  for (const { kind, name, cases } of suites.filter((suite) => suite.cases.length > 0)) {
    io.stdout.write(`${name === undefined ? kind : `${name} (${kind})`}\n`);
    for (const each of cases)
      io.stdout.write(`  ${each.name}${each.skipped === undefined ? '' : ` [skipped: ${each.skipped}]`}\n`);
  }
}

function bare(kind: SuiteKind): Initializer {
  const create = (): never => {
    throw new Error('only listed');
  };
  return { kind, name: kind, create };
}
