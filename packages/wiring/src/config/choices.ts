import { isAbsolute, resolve } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import { suggest } from '@pagefault/driver-kit';
import { findPolicy } from '@pagefault/kernel';
import { isPolicyCommand } from '../external-policy/command.js';
import type { Config, DriverChoice, DriverKind, Environment, Known, NamedKind, Registry } from './config.js';
import { variable } from './environment.js';
import { KEY_VARIABLES, providerByKey, providerOf, surroundings, withProvider } from './providers.js';
import { check, keysOf, type Problem } from './problems.js';
import type { FileSettings } from './schema.js';

type RawChoice = NonNullable<FileSettings['recall']>;

export function isChoice(given: FileSettings['processor']): given is RawChoice {
  return given !== undefined && !Array.isArray(given);
}

/** Splits a choice into a name and options; understands the addresses that stand for a store. */
export function readChoice(choice: RawChoice): DriverChoice {
  if (typeof choice !== 'string') {
    const { driver, ...options } = choice;
    return { driver, options };
  }
  const pglite = /^pglite:\/\/(.*)$/s.exec(choice)?.[1];
  if (pglite !== undefined) return { driver: 'pglite', options: { dataDir: pglite } };
  if (/^postgres(?:ql)?:\/\//.test(choice))
    return { driver: 'postgres', options: { connectionString: choice } };
  if (choice.startsWith('qdrant://')) return { driver: 'qdrant', options: { url: choice } };
  return { driver: choice, options: {} };
}

/** The embedded store's folder: from the environment, relative to where the command runs, else relative to the file. */
export function placeRecall(
  recall: DriverChoice,
  folder: string,
  cwd: string,
  env: Environment,
): DriverChoice {
  if (recall.driver !== 'pglite') return recall;
  const given = recall.options['dataDir'];
  const chosen = variable(env, 'PAGEFAULT_DATA_DIR');
  const dataDir = chosen
    ? resolve(cwd, chosen)
    : placeFolder(folder, typeof given === 'string' && given !== '' ? given : './.pagefault');
  return { ...recall, options: { ...recall.options, dataDir } };
}

// `memory://` is PGlite's own name for a store that is not kept.
function placeFolder(folder: string, given: string): string {
  return given === 'memory://' ? given : resolve(folder, given);
}

/** Archival follows recall unless it is chosen: pgvector lives in its database, and vectors need an embedder. */
export function defaultArchival(recall: DriverChoice, embedder: DriverChoice): DriverChoice {
  if (embedder.driver === 'none') return { driver: 'none', options: {} };
  return { driver: recall.driver === 'memory' ? 'memory' : 'pgvector', options: {} };
}

/** The processor, with a line that says why when the file leaves it open. */
export function chooseProcessor(
  choice: RawChoice | undefined,
  env: Environment,
): { choice: DriverChoice; notes: string[] } {
  if (choice !== undefined) return { choice: withProvider(readChoice(choice), env), notes: [] };
  const found = providerByKey(env);
  if (found !== undefined) return { choice: found.choice, notes: [found.note] };
  const missing = KEY_VARIABLES.join(' nor ');
  const note = `processor: reflex, which follows rules and needs no model, because neither ${missing} is set`;
  return { choice: { driver: 'reflex', options: {} }, notes: [note] };
}

/** Embeddings of a provider with the key of the environment, or of a model whose folder is relative to the file's. */
export function chooseEmbedder(raw: RawChoice, folder: string, env: Environment): DriverChoice {
  const choice = readChoice(raw);
  const options = { ...surroundings(choice, env), ...choice.options };
  const { model } = choice.options;
  const isFolder = choice.driver === 'local' && typeof model === 'string' && /^\.{1,2}([\\/]|$)/.test(model);
  return { ...choice, options: isFolder ? { ...options, model: resolve(folder, model) } : options };
}

/** Whether a policy is one of the user's own, by the path of its module. */
export function isPolicyPath(policy: string): boolean {
  return isAbsolute(policy) || /^\.{1,2}[\\/]|\.[cm]?[jt]s$/.test(policy);
}

/** As every path of the file: relative to its folder. */
export function placePolicy(policy: string, folder: string): string {
  return isPolicyPath(policy) && !isPolicyCommand(policy) ? resolve(folder, policy) : policy;
}

/** Problems of a name: it must be known; the known ones are listed from what is really there (E06). */
export function checkName(
  kind: keyof Registry,
  name: string,
  isObject: boolean,
  known: Known,
  base: readonly string[] = [kind],
): Problem[] {
  if (Object.hasOwn(known, name)) return [];
  if (kind === 'policy' && (isPolicyPath(name) || isPolicyCommand(name))) return [];
  const [plain = ''] = name.split(':');
  if (kind === 'policy' && plain !== name && Object.hasOwn(known, plain)) return settingProblems(name, base);
  const meant = suggest(name, Object.keys(known));
  const names = Object.keys(known).join(', ');
  const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
  const path = isObject ? [...base, 'driver'] : base;
  const own =
    kind === 'policy'
      ? ', or the path of a module of yours, such as ./my-policy.mjs, or a program: exec:python3 my_policy.py'
      : '';
  return [{ path, words: `unknown name "${shown(name)}"${question}; known: ${names}${own}` }];
}

/** Of a policy with settings, as in `2q:recentShare=.1`. */
function settingProblems(name: string, path: readonly string[]): Problem[] {
  try {
    findPolicy(name);
    return [];
  } catch (error) {
    if (!PagefaultError.is(error)) throw error;
    return [{ path, words: [error.message, error.hint].filter(Boolean).join('; ') }];
  }
}

// An address may hold a password.
function shown(name: string): string {
  return name.includes('://') ? `${name.slice(0, name.indexOf('://'))}://…` : name.slice(0, 80);
}

/** Problems of a driver's options, by the driver's own schema. Paths begin with the kind. */
export function checkOptions(
  kind: DriverKind,
  { driver, options }: DriverChoice,
  registry: Registry,
  known: readonly string[],
  base: readonly string[] = [kind],
): readonly Problem[] {
  const schema = Object.hasOwn(registry[kind], driver) ? (registry[kind][driver] ?? null) : null;
  if (schema === null) return [];
  return check(schema, options, { base, known: [...keysOf(schema, base.join('.')), ...known] }).problems;
}

/** Choices that do not go together. */
export function checkTogether(
  choices: Pick<Config, DriverKind>,
  processors: readonly PlacedChoice[],
): Problem[] {
  const embedder = { base: ['embedder'], choice: choices.embedder };
  return [...checkArchival(choices), ...[...processors, embedder].flatMap(checkKey)];
}

/** A choice, and where it stands in the file. */
export interface PlacedChoice {
  readonly base: readonly string[];
  readonly choice: DriverChoice;
}

function checkArchival({ recall, archival, embedder }: Pick<Config, DriverKind>): Problem[] {
  const problems: string[] = [];
  if (archival.driver === 'pgvector' && recall.driver === 'memory') {
    problems.push(
      'pgvector lives in the database of recall, and recall is "memory"; choose archival "memory"',
    );
  }
  if (archival.driver !== 'none' && embedder.driver === 'none') {
    problems.push(`"${archival.driver}" needs an embedder, and embedder is "none"; choose archival "none"`);
  }
  return problems.map((words) => ({ path: ['archival'], words }));
}

function checkKey({ base, choice: { driver, options } }: PlacedChoice): Problem[] {
  const { apiKey, baseURL, client } = options;
  const provider = providerOf(driver);
  if (provider === undefined || [apiKey, baseURL, client].some(isGiven)) return [];
  const at = base.join('.');
  const words = `missing; set the environment variable ${provider.key}, or ${at}.baseURL for a server of your own`;
  return [{ path: [...base, 'apiKey'], words }];
}

function isGiven(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined;
}

export const DRIVER_KINDS: readonly DriverKind[] = ['recall', 'archival', 'embedder', 'processor'];
export const NAMED_KINDS = ['policy', 'layout', 'dialect'] as const satisfies readonly NamedKind[];
