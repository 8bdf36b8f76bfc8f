/** Opens each driver of a configuration by itself and tries it, so that one that is ill hides no other. */
import { randomUUID } from 'node:crypto';
import {
  ARCHIVAL,
  type DriverHead,
  EMBEDDER,
  type Fact,
  PagefaultError,
  RECALL,
  type Token,
} from '@pagefault/contracts';
import { SQL } from '@pagefault/driver-kit';
import type { Resource } from '@pagefault/kernel';
import { Container } from 'inversify';
import type { Config, DriverKind } from '../config/index.js';
import { loadDriver } from '../drivers.js';
import { buildProcessor, hasVectors } from '../stack.js';
import { configOf, type StartOptions } from '../start.js';
import type { Finding, Patient } from './finding.js';
import { tryArchival, tryEmbedder, tryProcessor, tryRecall } from './trials.js';

export interface DiagnoseOptions extends StartOptions {
  /** Whether processors answer a question, which costs a few tokens. Default: true. */
  readonly ask?: boolean;
  readonly signal?: AbortSignal;
}

/** One that does not answer for so long is not there. Milliseconds; weights of a model may have to be loaded. */
const PATIENCE = 60_000;

/** Errors: `E_CONFIG` for a configuration that is wrong; what is wrong with a driver is in its finding. */
export async function* diagnose({
  ask = true,
  signal,
  ...options
}: DiagnoseOptions): AsyncGenerator<Finding> {
  const config = await configOf(options);
  const bench = new Bench(config);
  try {
    for (const patient of patientsOf(config, bench, ask)) {
      signal?.throwIfAborted();
      yield await examine(patient, signal);
    }
  } finally {
    await bench.close();
  }
}

async function examine({ examine: look, ...who }: Patient, stop: AbortSignal | undefined): Promise<Finding> {
  const patience = AbortSignal.timeout(PATIENCE);
  const start = performance.now();
  try {
    const facts = await look(AbortSignal.any(stop ? [stop, patience] : [patience]));
    return { ...who, isWell: true, facts, took: performance.now() - start };
  } catch (problem) {
    if (stop?.aborted) throw problem;
    return { ...who, isWell: false, facts: [], took: performance.now() - start, problem };
  }
}

/** Embedder before archival: the index is as wide as its vectors. */
function patientsOf(config: Config, bench: Bench, ask: boolean): readonly Patient[] {
  const id = `doctor-${randomUUID()}`;
  const stores: Patient[] = [
    {
      ...config.recall,
      kind: 'recall',
      examine: (signal) => bench.examine('recall', RECALL, signal, (driver) => tryRecall(driver, id, signal)),
    },
  ];
  const vectors: Patient[] = [
    {
      ...config.embedder,
      kind: 'embedder',
      examine: (signal) =>
        bench.examine('embedder', EMBEDDER, signal, (driver) => tryEmbedder(driver, signal)),
    },
    {
      ...config.archival,
      kind: 'archival',
      examine: (signal) =>
        bench.examine('archival', ARCHIVAL, signal, (driver) => tryArchival(driver, id, signal)),
    },
  ];
  return [...stores, ...(hasVectors(config) ? vectors : []), ...processorsOf(config, bench, ask)].map(
    ({ kind, driver, name, examine: look }) => ({
      kind,
      driver,
      ...(name !== undefined && { name }),
      examine: look,
    }),
  );
}

function processorsOf({ processor, routing }: Config, bench: Bench, ask: boolean): readonly Patient[] {
  const named = Object.entries(routing?.processors ?? {});
  const choices = named.length > 0 ? named : [[undefined, processor] as const];
  return choices.map(([name, choice]) => ({
    kind: 'processor',
    driver: choice.driver,
    ...(name !== undefined && { name }),
    examine: async (signal) => {
      const driver = await buildProcessor(choice, () => undefined);
      await bench.open(driver, signal);
      return [...(await tryProcessor(driver, ask, signal)), ...((await driver.facts?.(signal)) ?? [])];
    },
  }));
}

/** What was opened, to be closed at the end: recall and archival may share a database. */
class Bench {
  readonly #config: Config;
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #opened: Pick<Resource, 'close'>[] = [];
  readonly #well = new Set<DriverKind>();

  constructor(config: Config) {
    this.#config = config;
  }

  async examine<D extends DriverHead<string, unknown>>(
    kind: Exclude<DriverKind, 'processor'>,
    token: Token<D>,
    signal: AbortSignal,
    attempt: (driver: D) => Promise<readonly Fact[]>,
  ): Promise<readonly Fact[]> {
    if (kind === 'archival' && !this.#well.has('embedder')) throw unknownWidth();
    for (const module of await loadDriver(kind, this.#config[kind], () => undefined))
      this.#container.load(module);
    if (kind === 'recall' && this.#container.isBound(SQL))
      await this.open(this.#container.get<Resource>(SQL), signal);
    const driver = this.#container.get<D>(token);
    await this.open(driver, signal);
    const facts = [...(await attempt(driver)), ...((await driver.facts?.(signal)) ?? [])];
    this.#well.add(kind);
    return facts;
  }

  /** What does not open is closed too: it may have got half-way. */
  async open(part: Pick<Resource, 'open' | 'close'>, signal: AbortSignal): Promise<void> {
    this.#opened.push(part);
    await part.open(signal);
  }

  async close(): Promise<void> {
    for (const part of this.#opened.splice(0).reverse()) await part.close();
  }
}

function unknownWidth(): PagefaultError {
  return new PagefaultError('E_NOT_OPEN', 'it was not tried: how long its vectors are, the embedder says', {
    hint: 'put the embedder right first',
  });
}
