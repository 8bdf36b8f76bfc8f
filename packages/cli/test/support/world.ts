import { PassThrough } from 'node:stream';
import type { ProcessorDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createReflexProcessor } from '@pagefault/driver-processor-scripted';
import { boot, type Kernel, type KernelOptions } from '@pagefault/kernel';
import {
  diagnose,
  type Inspector,
  inspectorOf,
  loadPolicy,
  migrateStores,
  planRebuild,
  type StartOptions,
} from '@pagefault/wiring';
import { run } from '../../src/commands/program.js';
import type { Io } from '../../src/commands/shared/io.js';
import type { Wiring } from '../../src/commands/shared/machine.js';

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | PassThrough;
  /** Results go to a terminal. */
  readonly isTTY?: boolean;
  /** A person types. */
  readonly isTyped?: boolean;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Called with the way to send an interrupt signal. */
  readonly onStart?: (interrupt: () => void) => void;
  /** Called with what is shown so far on both streams, whenever it grows. */
  readonly onOutput?: (shown: string) => void;
}

/** A machine on plain memory that outlives its commands, as a store does. */
export interface World {
  readonly kernel: () => Promise<Kernel>;
  /** What the last command gave to `start` or `inspect`. */
  readonly asked: StartOptions[];
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  close(): Promise<void>;
}

/** `own` takes the place of what the commands are given of wiring. */
export function createWorld(
  options: Partial<KernelOptions> & { processor?: ProcessorDriver } = {},
  own: Partial<Wiring> = {},
): World {
  const recall = options.recall ?? createMemoryRecall();
  const asked: StartOptions[] = [];
  let booting: Promise<Kernel> | undefined;
  const kernel = () =>
    (booting ??= boot({
      ...options,
      recall,
      processor: options.processor ?? createReflexProcessor(),
    }));
  const wiring: Wiring = {
    start: async (start) => {
      asked.push(start);
      return {
        kernel: await kernel(),
        config: CONFIG,
        notes: ['processor: a note that the first line replaces'],
        close: async () => {},
      };
    },
    inspect: async (start) => {
      asked.push(start);
      return inspector(await kernel());
    },
    diagnose,
    migrateStores,
    planRebuild,
    loadPolicy,
    ...own,
  };
  return {
    kernel,
    asked,
    run: (args, given = {}) => runIn(wiring, args, given),
    close: async () => (await booting)?.close(),
  };
}

const CONFIG = {
  recall: { driver: 'memory', options: {} },
  processor: { driver: 'reflex', options: {} },
  window: 8192,
};

async function runIn(wiring: Wiring, args: readonly string[], options: RunOptions): Promise<Run> {
  const { input = '', isTTY = false, isTyped = false } = options;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stdin = input instanceof PassThrough ? input : new PassThrough();
  if (typeof input === 'string') stdin.end(input);
  let both = '';
  const grow = (piece: string) => options.onOutput?.((both += piece));
  const shown = [collect(stdout, grow), collect(stderr, grow)] as const;
  const stops = new Set<() => void>();
  const io: Io = {
    stdin: Object.assign(stdin, { isTTY: isTyped }),
    stdout: Object.assign(stdout, { isTTY, columns: 100 }),
    stderr: Object.assign(stderr, { isTTY, columns: 100 }),
    env: { TERM: 'dumb', ...options.env },
    cwd: options.cwd ?? process.cwd(),
    now: () => 0,
    onStop: (listener) => {
      stops.add(listener);
      return () => stops.delete(listener);
    },
    exit: () => {},
  };
  options.onStart?.(() => stops.forEach((stop) => stop()));
  const code = await run(args, { io, wiring: async () => wiring });
  return { code, stdout: shown[0](), stderr: shown[1]() };
}

function collect(stream: PassThrough, grow: (piece: string) => void): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    grow(piece);
  });
  return () => text + ((stream.read() as string | null) ?? '');
}

/** As wiring makes it, on a store without real times. */
function inspector(kernel: Kernel): Inspector {
  const its = inspectorOf(kernel, async () => {});
  return {
    ...its,
    ps: async () =>
      (await its.ps()).map((row) => ({ ...row, createdAt: Date.UTC(2024, 2, 1), running: true })),
  };
}
