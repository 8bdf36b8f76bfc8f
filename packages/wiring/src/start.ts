import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { PagefaultError } from '@pagefault/contracts';
import {
  boot,
  type Kernel,
  type KernelOptions,
  type Limits,
  limitsSchema,
  recordIntoFolder,
  type Tool,
} from '@pagefault/kernel';
import { type Config, type Environment, loadConfig } from './config/index.js';
import { REGISTRY } from './drivers.js';
import { connectInspector, serveInspection, socketPath } from './inspect.js';
import { type Inspector, inspectorOf, nothingToInspect } from './inspector.js';
import { beginRebuild, type Rebuilding } from './rebuild.js';
import { buildStack } from './stack.js';

export interface StartOptions {
  /** Where the configuration is looked for, and what relative paths mean without one. Default: the working directory. */
  readonly cwd?: string;
  readonly configFile?: string;
  /** Default: the environment of this operating-system process. */
  readonly env?: Environment;
  readonly overrides?: Overrides;
  /** Functions of yours that the model may call. */
  readonly tools?: readonly Tool[];
  /** Sees each request as it is laid out. */
  readonly onRequest?: KernelOptions['onRequest'];
  /** For runs that must be alike: where time and ids come from. Default: the system's. */
  readonly clock?: KernelOptions['clock'];
  /** An index that is refused with `E_DIMENSION` is made anew beside the old one; see `Rebuilding`. Default: false. */
  readonly rebuild?: boolean;
  readonly mintId?: KernelOptions['mintId'];
}

/** Settings that win over the file's; `data` is the folder of the embedded store. */
export interface Overrides {
  readonly recall?: unknown;
  readonly archival?: unknown;
  readonly embedder?: unknown;
  readonly processor?: unknown;
  readonly processors?: unknown;
  readonly summariser?: string | { readonly processor: string };
  /**
   * A name; the path of a module of yours, relative to the configuration file or else to `cwd`; or `exec:` and the command of a
   * program, which runs there.
   */
  readonly policy?: string;
  readonly layout?: string;
  readonly dialect?: string;
  readonly syscalls?: readonly string[];
  readonly window?: number;
  readonly limits?: Partial<Limits>;
  readonly record?: string;
  readonly data?: string;
}

/** A configuration that runs. Close it, or let `await using` do it. */
export interface RunningMachine extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly config: Config;
  /** For people, a line each: what was chosen for them, and why. */
  readonly notes: readonly string[];
  /** With `rebuild`, when there is something to rebuild. */
  readonly rebuilding?: Rebuilding;
  close(): Promise<void>;
}

/**
 * Reads the configuration, wires the stack and boots the kernel.
 * Errors: `E_CONFIG` for what is wrong in the configuration; `E_DATA_DIR_LOCKED`, `E_DATA_DIR` and what else the drivers
 * say when they open.
 */
export async function start(options: StartOptions = {}): Promise<RunningMachine> {
  const config = await configOf(options);
  const notes = [...config.notes];
  const stack = await buildStack(config, (warning) => notes.push(warning));
  notes.push(...unpriced(stack, config.limits as Limits));
  const { onRequest, tools, clock, mintId } = options;
  const rebuilding = options.rebuild ? await beginRebuild(stack) : undefined;
  const kernel = await boot({
    ...stack,
    limits: config.limits as NonNullable<KernelOptions['limits']>,
    program: config.program,
    zone: config.zone,
    onWarning: (warning) => notes.push(warning),
    window: config.window,
    ...(config.syscalls && { syscalls: config.syscalls }),
    ...(config.record !== undefined && { record: await recordTo(config.record) }),
    ...(onRequest && { onRequest }),
    ...(tools && { tools }),
    ...(clock && { clock }),
    ...(mintId && { mintId }),
  });
  const stopServing = await serve(kernel, config);
  const close = async () => {
    try {
      await stopServing();
    } finally {
      await kernel.close();
    }
  };
  return { kernel, config, notes, ...(rebuilding && { rebuilding }), close, [Symbol.asyncDispose]: close };
}

/** A cap on spending is none for a processor whose prices nobody knows. What is made of others has theirs. */
function unpriced(
  { processor, processors = {} }: Pick<KernelOptions, 'processor' | 'processors'>,
  { turnSpend, processSpend, stackSpend }: Limits,
): string[] {
  const caps = Object.entries({ turnSpend, processSpend, stackSpend }).filter(([, cap]) => cap !== undefined);
  const all = { ...processors, ...(typeof processor === 'object' && { main: processor }) };
  const without = Object.entries(all)
    .filter(([, { name, supports }]) => !supports.prices && name !== 'fallback')
    .map(([name, { supports }]) => `${name} (${supports.model})`);
  if (caps.length === 0 || without.length === 0) return [];
  const names = caps.map(([name]) => `limits.${name}`).join(', ');
  return [
    `${names}: the prices of ${without.join(', ')} are not known, so what it costs counts as nothing; give \`prices\``,
  ];
}

export interface InspectOptions extends StartOptions {
  /** A store that is not there is made. Default: what looks at it makes nothing. */
  readonly create?: boolean;
}

/** A look into a stack: at the kernel that runs it, or else at the store itself. */
export async function inspect({ create = false, ...options }: InspectOptions = {}): Promise<Inspector> {
  const dataDir = dataDirOf(await configOf(options));
  const running = dataDir === undefined ? undefined : await connectInspector(socketPath(dataDir));
  if (running) return running;
  if (!create && dataDir !== undefined && !existsSync(dataDir)) return nothingToInspect;
  const machine = await start(options);
  return inspectorOf(machine.kernel, () => machine.close());
}

export function configOf({
  cwd = process.cwd(),
  configFile,
  env = process.env,
  overrides = {},
}: StartOptions): Promise<Config> {
  const { data, ...settings } = overrides;
  const surroundings = {
    ...env,
    ...(data !== undefined && { PAGEFAULT_DATA_DIR: data }),
    // The caller's wish wins over the environment's.
    ...(settings.window !== undefined && { PAGEFAULT_WINDOW: undefined }),
  };
  return loadConfig({
    cwd,
    env: surroundings,
    registry: REGISTRY,
    limits: limitsSchema,
    overrides: settings,
    ...(configFile !== undefined && { file: configFile }),
  });
}

function dataDirOf({ recall }: Config): string | undefined {
  const { dataDir } = recall.options;
  return recall.driver === 'pglite' && typeof dataDir === 'string' && !dataDir.includes('://')
    ? dataDir
    : undefined;
}

/** Only the holder of an embedded store serves: other stores can be opened by anyone. */
async function serve(kernel: Kernel, config: Config): Promise<() => Promise<void>> {
  const dataDir = dataDirOf(config);
  if (dataDir === undefined) return async () => undefined;
  try {
    return await serveInspection(
      inspectorOf(kernel, async () => undefined),
      socketPath(dataDir),
    );
  } catch (error) {
    await kernel.close();
    throw error;
  }
}

async function recordTo(folder: string): Promise<NonNullable<KernelOptions['record']>> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new PagefaultError('E_CONFIG', `record: the folder ${folder} cannot be made`, {
      cause,
      hint: 'name another',
    });
  }
  return recordIntoFolder(folder);
}
