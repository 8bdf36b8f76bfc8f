import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import {
  checkName,
  checkOptions,
  checkTogether,
  chooseEmbedder,
  defaultArchival,
  DRIVER_KINDS,
  NAMED_KINDS,
  type PlacedChoice,
  placePolicy,
  placeRecall,
  readChoice,
} from './choices.js';
import type {
  BlockConfig,
  Config,
  DriverChoice,
  DriverKind,
  Environment,
  ProgramConfig,
  Registry,
} from './config.js';
import { isPolicyCommand } from '../external-policy/command.js';
import { variable } from './environment.js';
import { expandVariables, isPlain } from './expand.js';
import { originOf } from './origin.js';
import { chooseProcessors } from './routing.js';
import { providerOf } from './providers.js';
import { check, type Checked, keysOf, type Origin, type Problem, refuse } from './problems.js';
import { type FileSettings, fileSchema, serverAddress } from './schema.js';
import { findConfigFile, readConfigFile, type Where } from './source.js';

export interface LoadOptions<LimitsSchema extends z.ZodType> extends Where {
  readonly registry: Registry;
  /** The kernel's own schema: strict, with defaults. */
  readonly limits: LimitsSchema;
  /** Top-level settings that win over the file's, for example from the command line. */
  readonly overrides?: Partial<Record<keyof FileSettings, unknown>>;
}

/**
 * Reads the configuration: `file`, else `PAGEFAULT_CONFIG`, else `pagefault.config.json` (`.mjs`, `.js`) in `cwd`, else only
 * defaults. `PAGEFAULT_DATA_DIR` and `PAGEFAULT_WINDOW` win over the file. Paths in the file are relative to its folder.
 * Errors: `E_CONFIG`, naming all that is wrong in one stage of reading: unset variables, then keys and values, then limits,
 * names and options.
 */
export async function loadConfig<LimitsSchema extends z.ZodType>(
  options: LoadOptions<LimitsSchema>,
): Promise<Config<z.output<LimitsSchema>>> {
  const file = findConfigFile(options);
  const source = file ?? 'the default configuration';
  const folder = file === undefined ? options.cwd : dirname(file);
  const known = knownKeys(options);
  const written = file === undefined ? {} : await readConfigFile(file);
  const { env, overrides = {} } = options;
  const origin = originOf(source, written, overrides, env);
  const raw = { ...expanded(source, written, env), ...overrides };
  const settings = valid(origin, check(fileSchema, raw, { base: [], known }));
  const drivers = chooseDrivers(settings, folder, options);
  for (const { choice } of placedProcessors(drivers)) checkServer(choice, env);
  const limits = check(options.limits, withNumbers(settings.limits), { base: ['limits'], known });
  const problems = [...nameProblems(settings, drivers, options.registry, known), ...limits.problems];
  if (limits.value === undefined || problems.length > 0) throw refuse(origin, problems);
  return {
    ...(file === undefined ? {} : { file }),
    ...drivers.choices,
    ...(drivers.routing === undefined ? {} : { routing: drivers.routing }),
    ...named(settings, folder),
    window: windowOf(settings, env),
    ...(settings.syscalls === undefined ? {} : { syscalls: settings.syscalls }),
    limits: limits.value,
    program: programOf(settings.program),
    ...(settings.record === undefined ? {} : { record: resolve(folder, settings.record) }),
    notes: drivers.notes,
  };
}

function expanded(source: string, raw: unknown, env: Environment): Record<string, unknown> {
  const whole = () => source;
  if (!isPlain(raw)) throw refuse(whole, [{ path: [], words: 'the configuration must be an object' }]);
  const { value, problems } = expandVariables(raw, env);
  if (problems.length > 0) throw refuse(whole, problems);
  return isPlain(value) ? value : {};
}

function valid<T>(origin: Origin, checked: Checked<T>): T {
  if (checked.value === undefined) throw refuse(origin, checked.problems);
  return checked.value;
}

function knownKeys({ limits, registry }: LoadOptions<z.ZodType>): string[] {
  const program = ['program.instructions', 'program.blocks'];
  const ofDrivers = DRIVER_KINDS.flatMap((kind) =>
    Object.values(registry[kind]).flatMap((schema) => keysOf(schema, kind)),
  );
  return [...Object.keys(fileSchema.shape), ...program, ...keysOf(limits, 'limits'), ...ofDrivers];
}

function chooseDrivers(
  settings: FileSettings,
  folder: string,
  { cwd, env, registry }: LoadOptions<z.ZodType>,
) {
  const recall = placeRecall(readChoice(settings.recall), folder, cwd, env);
  const embedder = chooseEmbedder(settings.embedder, folder, env);
  const archival =
    settings.archival === undefined ? defaultArchival(recall, embedder) : readChoice(settings.archival);
  const { processor, ...routed } = chooseProcessors(settings, env, registry);
  return { choices: { recall, archival, embedder, processor }, ...routed };
}

type Chosen = ReturnType<typeof chooseDrivers>;

/** Each with its place in the file: the one that has no name stands at `processor`. */
function placedProcessors({ choices, routing }: Pick<Chosen, 'choices' | 'routing'>): PlacedChoice[] {
  if (!routing) return [{ base: ['processor'], choice: choices.processor }];
  return Object.entries(routing.processors).map(([name, choice]) => ({
    base: routing.unnamed === name ? ['processor'] : ['processors', name],
    choice,
  }));
}

function nameProblems(
  settings: FileSettings,
  drivers: Chosen,
  registry: Registry,
  known: readonly string[],
): Problem[] {
  const { choices } = drivers;
  if (drivers.problems.length > 0) return [...drivers.problems];
  const processors = placedProcessors(drivers);
  const placed = [
    ...(['recall', 'archival', 'embedder'] as const).map((kind) => ({
      kind,
      base: [kind],
      choice: choices[kind],
    })),
    ...processors.map((one) => ({ ...one, kind: 'processor' as const })),
  ];
  const ofDrivers = placed.flatMap(({ kind, base, choice }) => {
    const problems = checkName(kind, choice.driver, isObjectAt(settings, base), registry[kind], base);
    return problems.length > 0 ? problems : checkOptions(kind, choice, registry, known, base);
  });
  const ofNames = NAMED_KINDS.flatMap((kind) => checkName(kind, settings[kind], false, registry[kind]));
  const summariser = typeof settings.summariser === 'string' ? settings.summariser : 'recursive';
  const ofSummariser = checkName('summariser', summariser, false, registry.summariser);
  return [...ofDrivers, ...ofSummariser, ...ofNames, ...checkTogether(choices, processors)];
}

function isObjectAt(settings: FileSettings, [top = '', name]: readonly string[]): boolean {
  if (name !== undefined) return typeof settings.processors[name] === 'object';
  return typeof settings[top as DriverKind] === 'object';
}

function named({ summariser: given, policy, layout, dialect, zone }: FileSettings, folder: string) {
  const summariser = typeof given === 'string' ? given : 'recursive';
  const where = isPolicyCommand(policy) ? { policyFolder: folder } : {};
  return { summariser, policy: placePolicy(policy, folder), ...where, layout, dialect, zone };
}

// `"${VAR}"` gives text; where a limit is meant, digits are a number.
function withNumbers(limits: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(limits).map(([key, value]) => [key, isNumeric(value) ? Number(value) : value]),
  );
}

function isNumeric(value: unknown): value is string {
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
}

function windowOf(settings: FileSettings, env: Environment): number {
  const given = variable(env, 'PAGEFAULT_WINDOW');
  if (given === undefined) return settings.window;
  return fromEnvironment('PAGEFAULT_WINDOW', fileSchema.shape.window, given);
}

// The driver checks it too, but cannot know where it is from.
function checkServer({ driver, options }: DriverChoice, env: Environment): void {
  const address = options['baseURL'];
  const provider = providerOf(driver);
  if (provider !== undefined && address !== undefined && address === variable(env, provider.address))
    fromEnvironment(provider.address, serverAddress, address);
}

function fromEnvironment<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  given: unknown,
): z.output<Schema> {
  return valid(() => 'the environment', check(schema, given, { base: [name], known: [] }));
}

function programOf({ instructions, blocks }: FileSettings['program']): ProgramConfig {
  return {
    ...(instructions === undefined ? {} : { instructions }),
    ...(blocks === undefined
      ? {}
      : { blocks: Object.entries(blocks).map(([name, block]) => blockOf(name, block)) }),
  };
}

type RawBlock = NonNullable<FileSettings['program']['blocks']>[string];

function blockOf(name: string, { value, limit, readOnly }: RawBlock): BlockConfig {
  return {
    name,
    value,
    ...(limit === undefined ? {} : { limit }),
    ...(readOnly === undefined ? {} : { readOnly }),
  };
}
