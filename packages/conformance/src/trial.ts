import { type ConformanceCase, type Openable, runCase, type Setup } from './case.js';

/** One promise of a contract, tied to a setup and ready to run. */
export interface Trial {
  /** As of the case. */
  readonly name: string;
  /** What the setup does not give, without which this cannot be tried. */
  readonly lacks?: string;
  /** Throws when the promise is not kept. Resolves to why this instance cannot show it, if it cannot. */
  run(): Promise<string | undefined>;
}

export function trialsOf<Instance extends { readonly driver: Openable }>(
  setup: Setup<Instance>,
  cases: readonly ConformanceCase<Instance>[],
): Trial[] {
  return cases.map((each) => ({ name: each.name, run: () => runCase(setup, each) }));
}

/** One that needs no instance. Without `check` the setup lacks what it is made of. */
export function trial(name: string, option: string, check: (() => Promise<void>) | undefined): Trial {
  if (check) return { name, run: async () => void (await check()) };
  const lacks = `the setup has no \`${option}\``;
  return { name, lacks, run: async () => lacks };
}
