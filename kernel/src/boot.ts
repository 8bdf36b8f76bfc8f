/**
 * Boot and shutdown. Drivers open in the order of the list and close in the reverse; a boot that fails closes what it
 * had opened and says every failure.
 */
import type {
  ArchivalDriver,
  Bill,
  EmbedderDriver,
  InferRequest,
  Pid,
  ProcessorDriver,
  RecallDriver,
  Tokens,
} from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { Bus } from './bus.js';
import { type Clock, createMint, type MintId, systemClock } from './clock.js';
import type { Dialect } from './core/dialect/dialect.js';
import { type DialectName, findDialect } from './core/dialect/registry.js';
import type { Layout } from './core/layout/layout.js';
import { findLayout, type LayoutName } from './core/layout/registry.js';
import { checkZone, UTC } from './core/zone.js';
import { guardArchival } from './guard/archival.js';
import { guardEmbedder } from './guard/embedder.js';
import { guardProcessor } from './guard/processor.js';
import { guardRecall } from './guard/recall.js';
import { type Limits, limitsSchema } from './limits.js';
import type { PolicyFactory } from './policy/policy.js';
import { NamedProcessors } from './processor/named.js';
import { fifo } from './policy/fifo.js';
import { DEFAULT_BLOCKS, defaultProgram } from './program.js';
import { Executor } from './shell/turn/executor.js';
import { createPlaces } from './shell/interrupts/delivery.js';
import { Indexer } from './shell/search/indexer.js';
import { Kernel, type Program } from './shell/kernel.js';
import { BoundedCounts } from './shell/turn/bounded-counts.js';
import { Ledger } from './shell/turn/ledger.js';
import { Spending } from './shell/turn/spending.js';
import type { RecordingStore } from './shell/recordings/recording.js';
import type { KernelServices } from './shell/services.js';
import { recursive } from './summariser/recursive.js';
import type { Summariser } from './summariser/summariser.js';
import { chooseSyscalls } from './syscall/registry.js';
import type { Tool } from './tool.js';

export interface KernelOptions {
  readonly recall: RecallDriver;
  /** What runs the processes: a driver, which is named `main`, or the name of one of `processors`. */
  readonly processor: ProcessorDriver | string;
  /** Further ones, by name: for `process.useProcessor`, and for the summariser. */
  readonly processors?: Readonly<Record<string, ProcessorDriver>>;
  /** Both or neither: without them search is by text alone. */
  readonly archival?: ArchivalDriver;
  readonly embedder?: EmbedderDriver;
  /** Made for each process. Default `fifo`, the paper's. */
  readonly policy?: PolicyFactory;
  /** Default `recursive`, through the processor that the process runs on, or through the one that is named here. */
  readonly summariser?: Summariser | { readonly processor: string };
  /** The order of main context, by name or your own. Default `stable`. */
  readonly layout?: Layout | LayoutName;
  /** How the model speaks and calls, by name or your own. Default `memgpt`. */
  readonly dialect?: Dialect | DialectName;
  readonly program?: Partial<Program>;
  /** IANA name of the time zone of new processes that name none. Default `UTC`. */
  readonly zone?: string;
  readonly tools?: readonly Tool[];
  /** Names of the kernel's own functions that the model is offered. Default: all. */
  readonly syscalls?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Tokens; caps the processor's own window. */
  readonly window?: Tokens;
  /** Opened before the drivers and closed after them, for example a connection that two of them share. */
  readonly resources?: readonly Resource[];
  /** Where the runs of processes are recorded. Default: nowhere. */
  readonly record?: RecordingStore;
  readonly onRequest?: (pid: Pid, request: InferRequest, tokens: Tokens) => void;
  /** Told, while it starts, what a person should know: an index that cannot be reached yet. */
  readonly onWarning?: (message: string) => void;
  readonly clock?: Clock;
  readonly mintId?: MintId;
}

export interface Resource {
  readonly name: string;
  open(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Errors: `E_CONFIG` for limits or a stack that do not fit together; `E_INVALID` for a time zone that is none; whatever the drivers' `open` says. */
export async function boot(options: KernelOptions, signal?: AbortSignal): Promise<Kernel> {
  const limits = checkLimits(options.limits); //              every number, before anything is opened
  const layout = layoutOf(options.layout); //                 names that are none, too
  const dialect = dialectOf(options.dialect);
  const zone = checkZone(options.zone ?? UTC);
  const stack = checkStack(options); //                       drivers that belong together, behind their guards
  const bus = new Bus(); //                                   where observers listen
  const clock = options.clock ?? systemClock;
  const mintId = options.mintId ?? createMint(clock);
  const owner = stack.recall.supports.shared ? mintId() : 'embedded'; // nobody else can hold an embedded store
  const spending = new Spending({ recall: stack.recall, bus, clock, limits }); // caps on it
  const ledger = new Ledger(stack.recall, spending); //        what is spent beside turns
  const indexer = startIndexer(stack, { bus, clock, owner, limits, ledger }); // outbox to vectors
  const own = { mintId, spending, ledger, indexer };
  const services = shareServices(options, stack, { bus, clock, ...own }); // what all processes use
  const shutdown = await openAll(openingOrder(options, stack), signal); // resources, recall, archival, embedder, processors
  const kernel = new Kernel({
    services,
    limits,
    layout,
    dialect,
    policy: options.policy ?? fifo,
    program: programOf(options.program, dialect),
    zone,
    indexer,
    window: options.window,
    record: options.record,
    owner,
    shutdown: async () => (await indexer?.close(), await ledger.settle(), await shutdown()),
  });
  indexer?.wake(); //                                         what a crash left in the outbox
  kernel.resumeErasures().catch((error: unknown) => bus.raise('erasure-failed', { error })); // and of erasures
  return kernel;
}

interface Stack {
  readonly recall: RecallDriver;
  readonly processors: NamedProcessors;
  readonly archival: ArchivalDriver | undefined;
  readonly embedder: EmbedderDriver | undefined;
}

function checkLimits(limits: Partial<Limits> | undefined): Limits {
  const parsed = limitsSchema.safeParse(limits ?? {});
  if (parsed.success) return Object.freeze(parsed.data);
  const problems = parsed.error.issues.map(({ path, message }) => `limits.${path.join('.')}: ${message}`);
  throw new PagefaultError('E_CONFIG', problems.join('; '), {
    hint: 'kernel/src/limits.ts lists all limits',
  });
}

function checkStack({ recall, processor, processors, archival, embedder, onWarning }: KernelOptions): Stack {
  if (!archival !== !embedder) {
    const [has, lacks] = archival ? ['archival', 'embedder'] : ['embedder', 'archival'];
    throw new PagefaultError('E_CONFIG', `the stack has an ${has} driver but no ${lacks}`, {
      hint: 'give both, or neither to search by text alone',
    });
  }
  return {
    recall: guardRecall(recall),
    processors: NamedProcessors.of(processor, processors).map(guardProcessor),
    archival: archival && guardArchival(archival, awayFrom(archival, onWarning)),
    embedder: embedder && guardEmbedder(embedder),
  };
}

function awayFrom({ name }: ArchivalDriver, onWarning: KernelOptions['onWarning']) {
  return (error: Error) =>
    onWarning?.(
      `archival: ${name} cannot be reached, so texts are found by their words alone until it can: ${error.message}`,
    );
}

function openingOrder(options: KernelOptions, { recall, archival, embedder, processors }: Stack): Resource[] {
  return [...(options.resources ?? []), recall, archival, embedder, ...processors.all()].filter(
    (part) => part !== undefined,
  );
}

/** Resolves to the way back. */
async function openAll(
  parts: readonly Resource[],
  signal: AbortSignal | undefined,
): Promise<() => Promise<void>> {
  const opened: Resource[] = [];
  const unwind = () => closeAll(opened.splice(0).reverse());
  try {
    for (const part of parts) {
      opened.push(part);
      await part.open(signal);
    }
    return unwind;
  } catch (error) {
    const failures = await unwind().then(
      () => [],
      (closing: unknown) => [closing],
    );
    throw failures.length === 0 ? error : new AggregateError([error, ...failures], messageOf(error));
  }
}

async function closeAll(parts: readonly Resource[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part.close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(messageOf).join('; '));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Parts {
  readonly bus: Bus;
  readonly clock: Clock;
}

function startIndexer(
  { recall, archival, embedder }: Stack,
  {
    bus,
    ledger,
    ...parts
  }: Parts & { readonly owner: string; readonly limits: Limits; readonly ledger: Ledger },
): Indexer | undefined {
  if (!archival || !embedder) return undefined;
  const onFailure = (error: unknown) => bus.raise('index-failed', { error });
  const onIndexed = (pid: Pid, texts: number) => bus.raise('indexed', { pid, texts });
  const onBill = billing(ledger, embedder);
  return new Indexer({ recall, archival, embedder, ...parts, onFailure, onIndexed, onBill });
}

/** What embedding is charged for is the process's whose texts they are. */
function billing(ledger: Ledger, { name }: EmbedderDriver) {
  return (pid: Pid, bill: Bill) => ledger.note(pid, { ...bill, by: bill.by ?? name });
}

interface Own {
  readonly mintId: MintId;
  readonly spending: Spending;
  readonly ledger: Ledger;
  readonly indexer: Indexer | undefined;
}

function shareServices(
  options: KernelOptions,
  stack: Stack,
  { bus, clock, mintId, spending, ledger, indexer }: Parts & Own,
): KernelServices {
  const { recall, processors, archival, embedder } = stack;
  return {
    recall,
    processors,
    summariserOf: summariserOf(options.summariser, processors),
    spending,
    ledger,
    bounded: new BoundedCounts(bus),
    executor: new Executor(chooseSyscalls(options.syscalls), options.tools ?? []),
    bus,
    clock,
    mintId,
    searchStack: {
      archival,
      embedder,
      onVectorFailure: (error) => bus.raise('index-failed', { error }),
      ...(embedder && { onBill: billing(ledger, embedder) }),
    },
    wakeIndexer: () => indexer?.wake(),
    nextPlace: createPlaces(clock, mintId),
    onRequest: options.onRequest,
  };
}

/** Errors: `E_CONFIG` for the name of a processor that is not there. */
function summariserOf(
  given: KernelOptions['summariser'],
  processors: NamedProcessors,
): KernelServices['summariserOf'] {
  if (given === undefined) return (processor) => recursive(processor);
  if (!('processor' in given)) return () => given;
  const named = processors.find(given.processor);
  if (named) return () => recursive(named, given.processor);
  throw new PagefaultError('E_CONFIG', `summariser: there is no processor "${given.processor}"`, {
    hint: `processors: ${processors.names.join(', ')}`,
  });
}

/** Errors: `E_CONFIG` for an unknown name. */
function dialectOf(dialect: Dialect | DialectName = 'memgpt'): Dialect {
  return typeof dialect === 'string' ? findDialect(dialect) : dialect;
}

/** Errors: `E_CONFIG` for an unknown name. */
function layoutOf(layout: Layout | LayoutName = 'stable'): Layout {
  return typeof layout === 'string' ? findLayout(layout) : layout;
}

function programOf(program: Partial<Program> | undefined, dialect: Dialect): Program {
  const blocks = Object.entries(DEFAULT_BLOCKS).map(([name, value]) => ({ name, value }));
  const instructions = program?.instructions ?? defaultProgram(dialect.id);
  return { instructions, blocks: program?.blocks ?? blocks };
}
