/** Several processors: which there are, which runs the processes, and in which order they stand in for each other. */
import { suggest } from '@pagefault/driver-kit';
import { chooseProcessor, isChoice, readChoice } from './choices.js';
import type { DriverChoice, Environment, Registry, Routing } from './config.js';
import type { Problem } from './problems.js';
import { withProvider } from './providers.js';
import type { FileSettings } from './schema.js';

/** Of the processor that the file gives no name. */
const MAIN = 'main';

type Settings = Pick<FileSettings, 'processor' | 'processors' | 'summariser'>;

export interface ChosenProcessors {
  readonly processor: DriverChoice;
  readonly routing?: Routing;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

export function chooseProcessors(settings: Settings, env: Environment, registry: Registry): ChosenProcessors {
  const { processor, summariser } = settings;
  const given = Object.entries(settings.processors).map(
    ([name, choice]) => [name, withProvider(readChoice(choice), env)] as const,
  );
  const { processors, order, unnamed, notes, problems } = chooseOrder(
    processor,
    Object.fromEntries(given),
    env,
    registry,
  );
  const summaries = typeof summariser === 'string' ? undefined : summariser.processor;
  const unknown =
    summaries === undefined ? [] : checkNamed([summaries], ['summariser', 'processor'], processors);
  const first = processors[order[0] ?? ''] ?? { driver: 'none', options: {} };
  const isRouted = given.length > 0;
  const routing = {
    processors,
    order,
    ...(unnamed !== undefined && { unnamed }),
    ...(summaries !== undefined && { summaries }),
  };
  return { processor: first, ...(isRouted && { routing }), notes, problems: [...problems, ...unknown] };
}

interface Order {
  readonly processors: Readonly<Record<string, DriverChoice>>;
  readonly order: readonly string[];
  readonly unnamed?: string;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

function chooseOrder(
  chosen: Settings['processor'],
  named: Readonly<Record<string, DriverChoice>>,
  env: Environment,
  registry: Registry,
): Order {
  const [first] = Object.keys(named);
  const just = (name: string): Order => ({ processors: named, order: [name], notes: [], problems: [] });
  if (Array.isArray(chosen)) return { ...inOrder(chosen, named), notes: [] };
  if (typeof chosen === 'string' && isIn(named, chosen)) return just(chosen);
  if (chosen === undefined && first !== undefined) return just(isIn(named, MAIN) ? MAIN : first);
  const isDriver = typeof chosen !== 'string' || isIn(registry.processor, chosen);
  if (first !== undefined && (!isDriver || isIn(named, MAIN)))
    return { ...just(first), problems: refuseUnnamed(chosen, named) };
  const { choice, notes } = chooseProcessor(isChoice(chosen) ? chosen : undefined, env);
  return { processors: { ...named, [MAIN]: choice }, order: [MAIN], unnamed: MAIN, notes, problems: [] };
}

function inOrder(
  order: readonly string[],
  named: Readonly<Record<string, DriverChoice>>,
): Omit<Order, 'notes'> {
  const twice = order.find((name, index) => order.indexOf(name) < index);
  const problems = [
    ...checkNamed(order, ['processor'], named),
    ...(twice === undefined ? [] : [{ path: ['processor'], words: `"${twice}" stands in the order twice` }]),
  ];
  return { processors: named, order, problems };
}

/** The file has processors with names, and this is none of them. */
function refuseUnnamed(chosen: unknown, named: Readonly<Record<string, unknown>>): Problem[] {
  if (typeof chosen === 'string') return checkNamed([chosen], ['processor'], named);
  const words = `processors has a "${MAIN}", which is what a processor without a name is called; name this one there too`;
  return [{ path: ['processor'], words }];
}

function checkNamed(
  names: readonly string[],
  path: readonly string[],
  named: Readonly<Record<string, unknown>>,
): Problem[] {
  const known = Object.keys(named);
  return names
    .filter((name) => !isIn(named, name))
    .map((name) => {
      const meant = suggest(name, known);
      const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
      const there =
        known.length === 0 ? 'none is named: the file has no `processors`' : `known: ${known.join(', ')}`;
      return { path, words: `there is no processor "${name.slice(0, 80)}"${question}; ${there}` };
    });
}

function isIn(record: object, name: string): boolean {
  return Object.hasOwn(record, name);
}
