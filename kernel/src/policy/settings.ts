/**
 * Settings of the policies that ship, as text that stands wherever a policy's name may: `2q:recentShare=.1:ghostShare=.4`.
 * The file of each policy says what its settings mean and whose their defaults are.
 */
import { PagefaultError } from '@pagefault/contracts';

export interface PolicySetting {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: true;
  readonly usual: number;
}

export type PolicySettings = Readonly<Record<string, PolicySetting>>;

const MOST_TOKENS = 2 ** 31 - 1;

export function share(usual: number): PolicySetting {
  return { least: 0, most: 1, usual };
}

/** Pages, tokens, turns or counters. */
export function count(usual: number, least = 0, most = MOST_TOKENS): PolicySetting {
  return { least, most, usual, isWhole: true };
}

/** A price against that of plain input, or a weight against others. */
export function factor(usual: number): PolicySetting {
  return { least: 0, most: 1_000_000, usual };
}

export interface NamedPolicy {
  readonly name: string;
  /** `key=value`, apart from the name and from each other by colons. */
  readonly settings: readonly string[];
}

export function readPolicyName(text: string): NamedPolicy {
  const [name = '', ...settings] = text.split(':');
  return { name, settings };
}

/** Those that differ from what is usual. Errors: `E_CONFIG`, listing the settings that there are. */
export function readSettings(
  { name, settings: given }: NamedPolicy,
  known: PolicySettings,
): Readonly<Record<string, number>> {
  const values = new Map<string, number>();
  for (const text of given) {
    const at = text.indexOf('=');
    const key = at < 0 ? text : text.slice(0, at);
    const setting = Object.hasOwn(known, key) ? known[key] : undefined;
    if (!setting || values.has(key)) throw unclear(name, key, setting !== undefined, known);
    values.set(key, numberOf(name, key, at < 0 ? '' : text.slice(at + 1), setting));
  }
  const inOrder = Object.keys(known).filter(
    (key) => values.has(key) && values.get(key) !== known[key]?.usual,
  );
  return Object.fromEntries(inOrder.map((key) => [key, values.get(key) ?? 0]));
}

/** The one name of a policy with these settings: recordings and snapshots tell it by that from others. */
export function nameWith(name: string, settings: Readonly<Record<string, number>>): string {
  return [name, ...Object.entries(settings).map(([key, value]) => `${key}=${value}`)].join(':');
}

/** `recentShare=0.25`, as it would be written. */
export function usualSettings(known: PolicySettings): readonly string[] {
  return Object.entries(known).map(([key, { usual }]) => `${key}=${usual}`);
}

function numberOf(policy: string, key: string, text: string, setting: PolicySetting): number {
  const { least, most, isWhole } = setting;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
  const kind = isWhole ? 'a whole number' : 'a number';
  throw new PagefaultError(
    'E_CONFIG',
    `policy "${policy}": ${key} is "${text}"; it must be ${kind} from ${least} to ${most}`,
    { hint: `by default it is ${setting.usual}` },
  );
}

function unclear(policy: string, key: string, isTwice: boolean, known: PolicySettings): PagefaultError {
  const all = usualSettings(known).join(', ');
  return new PagefaultError(
    'E_CONFIG',
    isTwice ? `policy "${policy}": ${key} is set twice` : `policy "${policy}" has no setting "${key}"`,
    { hint: all === '' ? 'it has none' : `its settings, with their defaults: ${all}` },
  );
}
