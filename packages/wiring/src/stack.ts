/** The only place that builds a container: from a configuration to the drivers of a kernel. Nothing is opened here. */
import {
  ARCHIVAL,
  EMBEDDER,
  PROCESSOR,
  type ProcessorDriver,
  RECALL,
  type Token,
} from '@pagefault/contracts';
import { SQL } from '@pagefault/driver-kit';
import {
  extractive,
  fallback,
  findDialect,
  findLayout,
  type KernelOptions,
  type Resource,
} from '@pagefault/kernel';
import { Container } from 'inversify';
import type { Config, DriverChoice, DriverKind } from './config/index.js';
import { loadDriver } from './drivers.js';
import { type LoadedPolicy, loadPolicy } from './policy.js';

type Stack = Pick<
  KernelOptions,
  | 'recall'
  | 'archival'
  | 'embedder'
  | 'processor'
  | 'processors'
  | 'policy'
  | 'layout'
  | 'dialect'
  | 'summariser'
  | 'resources'
>;

/** Errors: `E_CONFIG` from a driver that does not take its options. */
export async function buildStack(config: Config, onWarning: (message: string) => void): Promise<Stack> {
  const container = new Container({ defaultScope: 'Singleton' });
  const processors = await buildProcessors(config, onWarning);
  for (const kind of kindsOf(config)) {
    const modules = await loadDriver(kind, config[kind], onWarning);
    for (const module of modules) container.load(module);
  }
  const vectors = hasVectors(config)
    ? { archival: resolve(container, ARCHIVAL), embedder: resolve(container, EMBEDDER) }
    : {};
  const policy = await loadPolicy(config.policy, config.policyFolder);
  return {
    recall: resolve(container, RECALL),
    ...processors,
    ...vectors,
    policy,
    layout: findLayout(config.layout),
    dialect: findDialect(config.dialect),
    ...summariserOf(config),
    resources: [...programOf(policy, config.policy), ...resourcesOf(container)],
  };
}

/** A policy that is a program: it must say who it is before anything else is opened. */
function programOf({ open, close }: LoadedPolicy, name: string): readonly Resource[] {
  if (!open || !close) return [];
  return [{ name: `policy ${name}`, open: async () => open(), close }];
}

/** Each in a container of its own, for all of them are bound to the one token. */
async function buildProcessors(
  { processor, routing }: Config,
  onWarning: (message: string) => void,
): Promise<Pick<Stack, 'processor' | 'processors'>> {
  if (!routing) return { processor: await buildProcessor(processor, onWarning) };
  const processors: Record<string, ProcessorDriver> = {};
  for (const [name, choice] of Object.entries(routing.processors))
    processors[name] = await buildProcessor(choice, onWarning);
  const { order } = routing;
  const [first = ''] = order;
  if (order.length === 1) return { processor: first, processors };
  const members = order.flatMap((name) => processors[name] ?? []);
  const together = order.join(',');
  return {
    processor: together,
    processors: { ...processors, [together]: fallback(members, { names: order }) },
  };
}

/** One processor by itself. */
export async function buildProcessor(
  choice: DriverChoice,
  onWarning: (message: string) => void,
): Promise<ProcessorDriver> {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const module of await loadDriver('processor', choice, onWarning)) container.load(module);
  return resolve(container, PROCESSOR);
}

/** Without one the kernel's own: by the processor that a process runs on. */
function summariserOf({ summariser, routing }: Config): Pick<Stack, 'summariser'> {
  if (summariser === 'extractive') return { summariser: extractive };
  return routing?.summaries === undefined ? {} : { summariser: { processor: routing.summaries } };
}

/** Recall alone, for work on the store itself. Errors: as above. */
export async function buildRecall(
  config: Pick<Config, 'recall'>,
  onWarning: (message: string) => void,
): Promise<Required<Pick<Stack, 'recall' | 'resources'>>> {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const module of await loadDriver('recall', config.recall, onWarning)) container.load(module);
  return { recall: resolve(container, RECALL), resources: resourcesOf(container) };
}

/** What the token stands for: its type is known to the compiler only. */
function resolve<T>(container: Container, token: Token<T>): T {
  return container.get<T>(token);
}

/** Without an index nothing wants vectors, so no embedder is loaded. */
function kindsOf(config: Config): DriverKind[] {
  return hasVectors(config) ? ['embedder', 'recall', 'archival'] : ['recall'];
}

export function hasVectors({ archival, embedder }: Config): boolean {
  return archival.driver !== 'none' && embedder.driver !== 'none';
}

/** A database that two drivers share is opened before and closed after them. */
function resourcesOf(container: Container): readonly Resource[] {
  if (!container.isBound(SQL)) return [];
  const port = resolve(container, SQL);
  return [{ name: port.description, open: (signal) => port.open(signal), close: () => port.close() }];
}
