/** Which earlier result a value was taken from. */

/** Shorter ones ("yes", "1", "EUR") are said by chance. */
const SHORTEST = 4;

export class Quotes {
  readonly #newest = new Map<string, number>();
  #said = '';

  /** A value that a user says may be taken from there. */
  said(text: string): void {
    this.#said += `\n${text}`;
  }

  read(page: number, values: Iterable<string>): void {
    for (const value of values) this.#newest.set(value, page);
  }

  sourcesOf(values: Iterable<string>): number[] {
    const pages = new Set<number>();
    for (const value of values) {
      const page = this.#newest.get(value);
      if (page !== undefined && !this.#said.includes(value)) pages.add(page);
    }
    return [...pages];
  }
}

/** Values of a piece of JSON, or else the text itself; with `names` those of its fields too, which may be ids. */
export function valuesOf(text: string, { names = false } = {}): Set<string> {
  const values = new Set<string>();
  collect(parsed(text), names, (value) => value.length >= SHORTEST && values.add(value));
  return values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function collect(value: unknown, names: boolean, take: (value: string) => unknown): void {
  if (Array.isArray(value)) for (const one of value) collect(one, names, take);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) {
      if (names) take(name);
      collect(one, names, take);
    }
  else if (typeof value === 'string' || typeof value === 'number') take(String(value).trim());
}
