/**
 * One promise of a contract: a sentence, and a check that throws when the instance does not keep it.
 * Any runner can execute it; each run gets an instance of its own.
 */
export interface ConformanceCase<Instance> {
  /** `<room>: <sentence>`, unique in its suite. */
  readonly name: string;
  /** Why this instance cannot show it; undefined when it can. Left out: every instance can. */
  unable?(instance: Instance): string | undefined;
  run(instance: Instance): Promise<void>;
}

/** How a suite gets its instances. */
export interface Setup<Instance> {
  /** For the title. */
  readonly name: string;
  /** A driver over empty storage that no other instance sees. The suite opens it, so it may be open or not. */
  create(): Promise<Instance> | Instance;
  /** Called after each case, also after a failed one, with the driver closed. */
  destroy?(instance: Instance): Promise<void> | void;
  /** Once before the first case: for what all instances share, such as a server. */
  beforeAll?(): Promise<void> | void;
  /** Once after the last one, also when cases failed. */
  afterAll?(): Promise<void> | void;
  /** Registers one test. Default: vitest's `it`. */
  readonly test?: RegisterTest;
}

export type RegisterTest = (name: string, run: () => Promise<void>) => void;

export interface Openable {
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs one case in an instance of its own, and closes what it opened whatever happens. Resolves to why the instance
 * cannot show it, if it cannot.
 */
export async function runCase<Instance extends { readonly driver: Openable }>(
  { create, destroy }: Pick<Setup<Instance>, 'create' | 'destroy'>,
  conformanceCase: ConformanceCase<Instance>,
): Promise<string | undefined> {
  const instance = await create();
  try {
    await instance.driver.open();
    const reason = conformanceCase.unable?.(instance);
    if (reason === undefined) await conformanceCase.run(instance);
    return reason;
  } finally {
    await instance.driver.close();
    await destroy?.(instance);
  }
}
