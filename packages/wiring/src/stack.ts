/** The only place that builds a container: from a configuration to the drivers of a kernel. Nothing is opened here. */
import { ARCHIVAL, EMBEDDER, PROCESSOR, RECALL, type Token } from '@pagefault/contracts';
import { SQL } from '@pagefault/driver-kit';
import {
  extractive,
  findDialect,
  findLayout,
  type KernelOptions,
  recursive,
  type Resource,
} from '@pagefault/kernel';
import { Container } from 'inversify';
import type { Config, DriverKind } from './config/index.js';
import { loadDriver } from './drivers.js';
import { loadPolicy } from './policy.js';

type Stack = Pick<
  KernelOptions,
  | 'recall'
  | 'archival'
  | 'embedder'
  | 'processor'
  | 'policy'
  | 'layout'
  | 'dialect'
  | 'summariser'
  | 'resources'
>;

/** Errors: `E_CONFIG` from a driver that does not take its options. */
export async function buildStack(config: Config, onWarning: (message: string) => void): Promise<Stack> {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const kind of kindsOf(config)) {
    const modules = await loadDriver(kind, config[kind], onWarning);
    for (const module of modules) container.load(module);
  }
  const processor = resolve(container, PROCESSOR);
  const vectors = hasVectors(config)
    ? { archival: resolve(container, ARCHIVAL), embedder: resolve(container, EMBEDDER) }
    : {};
  return {
    recall: resolve(container, RECALL),
    processor,
    ...vectors,
    policy: await loadPolicy(config.policy),
    layout: findLayout(config.layout),
    dialect: findDialect(config.dialect),
    summariser: config.summariser === 'extractive' ? extractive : recursive(processor),
    resources: resourcesOf(container),
  };
}

/** What the token stands for: its type is known to the compiler only. */
function resolve<T>(container: Container, token: Token<T>): T {
  return container.get<T>(token);
}

/** Without an index nothing wants vectors, so no embedder is loaded. */
function kindsOf(config: Config): DriverKind[] {
  return hasVectors(config) ? ['embedder', 'recall', 'archival', 'processor'] : ['recall', 'processor'];
}

function hasVectors({ archival, embedder }: Config): boolean {
  return archival.driver !== 'none' && embedder.driver !== 'none';
}

/** A database that two drivers share is opened before and closed after them. */
function resourcesOf(container: Container): Resource[] {
  if (!container.isBound(SQL)) return [];
  const port = resolve(container, SQL);
  return [{ name: port.description, open: (signal) => port.open(signal), close: () => port.close() }];
}
