/**
 * Every driver that a configuration may name, by kind. A driver's package is loaded only when it is chosen, so that a
 * stack costs nothing for what it does not use.
 */
import type { ContainerModule } from 'inversify';

export type DriverOptions = Readonly<Record<string, unknown>>;

/** What a driver may be told by the stack around it. */
export interface StackContext {
  /** Shown once, for example when a cache folder cannot be used. */
  readonly onWarning: (message: string) => void;
}

type Load = (options: never, context: StackContext) => Promise<readonly ContainerModule[]>;

export const DRIVERS = {
  recall: {
    pglite: async (options) => {
      const { schema, ...store } = options as DriverOptions & { schema?: string };
      const [{ pgliteModule }, { recallPostgresModule }] = await Promise.all([
        import('@pagefault/driver-pglite'),
        import('@pagefault/driver-recall-postgres/module'),
      ]);
      return [pgliteModule(store as never), recallPostgresModule(schema === undefined ? {} : { schema })];
    },
    postgres: async (options) => {
      const { schema, ...server } = options as DriverOptions & { schema?: string };
      const { pgSqlModule, recallPostgresModule } = await import('@pagefault/driver-recall-postgres/module');
      return [pgSqlModule(server as never), recallPostgresModule(schema === undefined ? {} : { schema })];
    },
    memory: async () => [(await import('@pagefault/driver-memory/module')).memoryRecallModule()],
  },
  archival: {
    pgvector: async (options) => [
      (await import('@pagefault/driver-archival-pgvector/module')).archivalPgvectorModule(options),
    ],
    memory: async () => [(await import('@pagefault/driver-memory/module')).memoryArchivalModule()],
    none: async () => [],
  },
  embedder: {
    local: async (options, { onWarning }) => [
      (await import('@pagefault/driver-embedder-local/module')).embedderLocalModule({
        ...(options as DriverOptions),
        onWarning: (warning) => onWarning(warning.message),
      }),
    ],
    none: async () => [],
  },
  processor: {
    reflex: async (options) => [
      (await import('@pagefault/driver-processor-scripted/module')).reflexModule(options),
    ],
    scripted: async (options) => [
      (await import('@pagefault/driver-processor-scripted/module')).scriptedModule(options),
    ],
    openai: async (options) => [
      (await import('@pagefault/driver-processor-openai/module')).processorOpenAIModule(options),
    ],
  },
} as const satisfies Record<string, Record<string, Load>>;

export type DriverKind = keyof typeof DRIVERS;

/** Names by kind: for the configuration's checks and for error messages. */
export const DRIVER_NAMES = Object.fromEntries(
  Object.entries(DRIVERS).map(([kind, drivers]) => [kind, Object.keys(drivers)]),
) as unknown as Readonly<Record<DriverKind, readonly string[]>>;

/** The modules of one driver. The name has passed the configuration's check. */
export async function loadDriver(
  kind: DriverKind,
  name: string,
  options: DriverOptions,
  context: StackContext,
): Promise<readonly ContainerModule[]> {
  const drivers: Readonly<Record<string, Load>> = DRIVERS[kind];
  const load = drivers[name];
  return load ? load(options as never, context) : [];
}
