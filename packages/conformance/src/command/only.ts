import { PagefaultError } from '@pagefault/contracts';
import { type Initializer, trialsFor } from '../initializer.js';
import type { Trial } from '../trial.js';

/** What is run of one initializer. */
export interface Suite {
  readonly initializer: Initializer;
  readonly trials: readonly Trial[];
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** Errors: `E_CONFIG` when some of what was asked for names nothing. */
export function choose(initializers: readonly Initializer[], only: readonly string[]): Suite[] {
  const suites = initializers.map((initializer) => ({ initializer, trials: trialsFor(initializer) }));
  const known = suites.flatMap(({ trials }) => trials);
  for (const what of only)
    if (!known.some(({ name }) => isMeant(name, what, known))) throw unknown(what, known);
  if (only.length === 0) return suites.map((suite) => ({ ...suite, isWhole: true }));
  return suites.map(({ initializer, trials }) => ({
    initializer,
    trials: trials.filter(({ name }) => only.some((what) => isMeant(name, what, known))),
    isWhole: false,
  }));
}

/** The name of a room means that room; anything else is looked for in the sentences, whatever the case of its letters. */
function isMeant(name: string, what: string, known: readonly Trial[]): boolean {
  if (roomsOf(known).includes(what)) return roomOf(name) === what;
  return name.toLowerCase().includes(what.toLowerCase());
}

export function roomOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')));
}

function roomsOf(trials: readonly Trial[]): string[] {
  return [...new Set(trials.map(({ name }) => roomOf(name)))];
}

function unknown(what: string, known: readonly Trial[]): PagefaultError {
  return new PagefaultError('E_CONFIG', `--only ${JSON.stringify(what)} is in no case`, {
    hint: `rooms: ${roomsOf(known).join(', ')}; --list shows the cases`,
  });
}
