import picocolors from 'picocolors';

export type Colours = ReturnType<typeof picocolors.createColors>;

/** What decides about colours, so that it can be given. */
export interface ColourSettings {
  readonly isTTY: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Colours for one stream: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`; elsewhere with `FORCE_COLOR`. */
export function coloursFor({ isTTY, env }: ColourSettings): Colours {
  return picocolors.createColors(wantsColours(isTTY, env));
}

// https://no-color.org: any value that is not empty counts.
function wantsColours(isTTY: boolean, env: ColourSettings['env']): boolean {
  if (isSet(env['NO_COLOR'])) return false;
  if (isSet(env['FORCE_COLOR'])) return env['FORCE_COLOR'] !== '0';
  return isTTY && env['TERM'] !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
