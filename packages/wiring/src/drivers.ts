/**
 * Every driver that a configuration may name, by kind. A driver's package is loaded only when it is chosen, so that a
 * stack costs nothing for what it does not use (E07).
 */
import { DIALECTS, LAYOUTS, POLICIES } from '@pagefault/kernel';
import type { ContainerModule } from 'inversify';
import { z } from 'zod';
import type { DriverKind, Known, Registry } from './config/index.js';

type Options = Readonly<Record<string, unknown>>;

/** The driver's own schema checks the options; here they are only passed on. */
type Load = (options: never, onWarning: (message: string) => void) => Promise<readonly ContainerModule[]>;

const DRIVERS = {
  recall: {
    pglite: async (options: Options) => {
      const { pgliteModule } = await import('@pagefault/driver-pglite/module');
      return onSql(options, (store) => pgliteModule(store as never));
    },
    postgres: async (options: Options) => {
      const { pgSqlModule } = await import('@pagefault/driver-recall-postgres/module');
      return onSql(options, (server) => pgSqlModule(server as never));
    },
    memory: async () => [(await import('@pagefault/driver-memory/module')).memoryRecallModule()],
  },
  archival: {
    pgvector: async (options: Options, onWarning) => {
      const { archivalPgvectorModule } = await import('@pagefault/driver-archival-pgvector/module');
      return [archivalPgvectorModule({ ...options, onWarning: ({ message }) => onWarning(message) })];
    },
    qdrant: async (options) => [
      (await import('@pagefault/driver-archival-qdrant/module')).archivalQdrantModule(options),
    ],
    memory: async () => [(await import('@pagefault/driver-memory/module')).memoryArchivalModule()],
    none: async () => [],
  },
  embedder: {
    local: async (options: Options, onWarning) => {
      const { embedderLocalModule } = await import('@pagefault/driver-embedder-local/module');
      return [embedderLocalModule({ ...options, onWarning: ({ message }) => onWarning(message) })];
    },
    openai: async (options) => [
      (await import('@pagefault/driver-embedder-openai/module')).embedderOpenAIModule(options),
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
    anthropic: async (options) => [
      (await import('@pagefault/driver-processor-anthropic/module')).processorAnthropicModule(options),
    ],
  },
} as const satisfies Record<DriverKind, Record<string, Load>>;

/** Recall on a database port that archival may share. `schema` is recall's; the rest says where the database is. */
async function onSql(
  options: Options,
  portModule: (place: Options) => ContainerModule,
): Promise<ContainerModule[]> {
  const { schema, ...place } = options;
  const { recallPostgresModule } = await import('@pagefault/driver-recall-postgres/module');
  return [portModule(place), recallPostgresModule(schema === undefined ? {} : { schema: schema as string })];
}

/** Nobody would look at them, so that a key that is meant for another driver would be dropped (E01). */
const NO_OPTIONS = z.strictObject({});

/** What a configuration may name. Other drivers check their options themselves, when the stack is built. */
export const REGISTRY: Registry = {
  recall: { ...namesOf(DRIVERS.recall), memory: NO_OPTIONS },
  archival: { ...namesOf(DRIVERS.archival), memory: NO_OPTIONS, none: NO_OPTIONS },
  embedder: { ...namesOf(DRIVERS.embedder), none: NO_OPTIONS },
  processor: namesOf(DRIVERS.processor),
  policy: namesOf(POLICIES),
  summariser: { recursive: null, extractive: null },
  layout: namesOf(LAYOUTS),
  dialect: namesOf(DIALECTS),
};

function namesOf(drivers: object): Known {
  return Object.fromEntries(Object.keys(drivers).map((name) => [name, null]));
}

/** The modules of one driver, whose name has passed the configuration's check. */
export async function loadDriver(
  kind: DriverKind,
  { driver, options }: { readonly driver: string; readonly options: Options },
  onWarning: (message: string) => void,
): Promise<readonly ContainerModule[]> {
  const drivers: Readonly<Record<string, Load>> = DRIVERS[kind];
  return (await drivers[driver]?.(options as never, onWarning)) ?? [];
}
