import { PagefaultError, type Tokens } from '@pagefault/contracts';

/**
 * What a table tells of a model by its name at the provider. It is found by the longest name that it begins with, so dated
 * snapshots need no line; a gateway's prefix (`openai/gpt-4o`) is passed over.
 */
export function findModel<T>(table: Readonly<Record<string, T>>, model: string): T | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1);
  const known = Object.keys(table).filter(
    (key) => name === key || (/^[-.:@]/.test(name.slice(key.length)) && name.startsWith(key)),
  );
  const best = known.sort((a, b) => b.length - a.length)[0];
  return best === undefined ? undefined : table[best];
}

export interface SizeLimits {
  /** Input and output together. */
  readonly window: Tokens;
  /** The most that one reply can hold. */
  readonly maxOutput: Tokens;
}

/**
 * Limits as given, else as the table has them: the output by default at most half of the window, since a window set small
 * for a test or a local server must not be eaten by the table's output limit.
 * Errors: `E_CONFIG` for an output limit that leaves no input.
 */
export function sizeLimits(
  driver: string,
  given: { readonly window?: Tokens | undefined; readonly maxOutput?: Tokens | undefined },
  table: SizeLimits,
): SizeLimits {
  const window = given.window ?? table.window;
  const maxOutput = given.maxOutput ?? Math.min(table.maxOutput, Math.floor(window / 2));
  if (maxOutput < window) return { window, maxOutput };
  throw new PagefaultError(
    'E_CONFIG',
    `${driver}.maxOutput: ${maxOutput} is not less than the window of ${window} tokens`,
    { driver, hint: 'lower maxOutput or raise window' },
  );
}
