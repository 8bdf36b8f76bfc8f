/** What the environment tells of the providers that sell models, and where its keys may go. */
import type { DriverChoice, Environment } from './config.js';
import { variable } from './environment.js';

interface Provider {
  readonly key: string;
  readonly address: string;
  /** For when the configuration names no model: a small one of its table that calls functions. */
  readonly model: string;
}

/** By the name of the driver, in the order in which a key is looked for. */
export const PROVIDERS = {
  openai: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', model: 'gpt-5.4-mini' },
  anthropic: { key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL', model: 'claude-haiku-5-5' },
} as const satisfies Record<string, Provider>;

export function providerOf(driver: string): Provider | undefined {
  return Object.hasOwn(PROVIDERS, driver) ? PROVIDERS[driver as keyof typeof PROVIDERS] : undefined;
}

/** A processor with the provider's model, and with key and address of the environment. */
export function withProvider(choice: DriverChoice, env: Environment): DriverChoice {
  const provider = providerOf(choice.driver);
  if (provider === undefined) return choice;
  return { ...choice, options: { model: provider.model, ...surroundings(choice, env), ...choice.options } };
}

// The key of the environment goes only to the server that the environment means: never to another that the file names.
export function surroundings({ driver, options }: DriverChoice, env: Environment): Record<string, string> {
  const provider = providerOf(driver);
  const isElsewhere = ['baseURL', 'client', 'apiKey'].some((key) => options[key] !== undefined);
  if (provider === undefined || isElsewhere) return {};
  return filled({ apiKey: variable(env, provider.key), baseURL: variable(env, provider.address) });
}

function filled(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

/** The first provider whose key is set, with a line that says why. */
export function providerByKey(env: Environment): { choice: DriverChoice; note: string } | undefined {
  const found = Object.entries(PROVIDERS).find(([, { key }]) => variable(env, key));
  if (found === undefined) return undefined;
  const [driver, { key, model }] = found;
  return {
    choice: withProvider({ driver, options: {} }, env),
    note: `processor: ${driver} with ${model}, because ${key} is set`,
  };
}

/** The variables that hold keys, for a sentence. */
export const KEY_VARIABLES = Object.values(PROVIDERS).map(({ key }) => key);
