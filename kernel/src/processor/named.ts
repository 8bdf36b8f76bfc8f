/** The processors of a stack, by the names that processes, the summariser and people call them. */
import type { ProcessorDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';

/** Of the processor that is given without one. */
export const MAIN = 'main';

export class NamedProcessors {
  readonly #byName: ReadonlyMap<string, ProcessorDriver>;
  /** Of the processor that runs what names none. */
  readonly standard: string;

  private constructor(byName: ReadonlyMap<string, ProcessorDriver>, standard: string) {
    [this.#byName, this.standard] = [byName, standard];
  }

  /**
   * `standard` is a driver, which is named `main` then, or the name of one of the others.
   * Errors: `E_CONFIG` for a name that is taken, empty or not there.
   */
  static of(
    standard: ProcessorDriver | string,
    others: Readonly<Record<string, ProcessorDriver>> = {},
  ): NamedProcessors {
    const byName = new Map(Object.entries(others));
    if (byName.has('')) throw new PagefaultError('E_CONFIG', 'processors: a processor has an empty name');
    const name = typeof standard === 'string' ? standard : MAIN;
    if (typeof standard === 'string') {
      if (!byName.has(standard)) throw unknown('E_CONFIG', `processor: there is no "${standard}"`, byName);
    } else if (byName.has(MAIN)) throw taken();
    else byName.set(MAIN, standard);
    return new NamedProcessors(byName, name);
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** The same names for what `change` makes of each. */
  map(change: (processor: ProcessorDriver) => ProcessorDriver): NamedProcessors {
    const changed = [...this.#byName].map(([name, processor]) => [name, change(processor)] as const);
    return new NamedProcessors(new Map(changed), this.standard);
  }

  all(): readonly ProcessorDriver[] {
    return [...this.#byName.values()];
  }

  find(name: string = this.standard): ProcessorDriver | undefined {
    return this.#byName.get(name);
  }

  /** Errors: `E_NOT_FOUND`, which lists the known ones. */
  get(name: string = this.standard): ProcessorDriver {
    const processor = this.find(name);
    if (!processor) throw unknown('E_NOT_FOUND', `there is no processor "${name}"`, this.#byName);
    return processor;
  }
}

function unknown(
  code: 'E_CONFIG' | 'E_NOT_FOUND',
  message: string,
  known: ReadonlyMap<string, unknown>,
): PagefaultError {
  const names = [...known.keys()].join(', ') || 'none';
  return new PagefaultError(code, message, { hint: `processors: ${names}` });
}

function taken(): PagefaultError {
  return new PagefaultError(
    'E_CONFIG',
    `processors: "${MAIN}" is the name of the one given as \`processor\``,
    {
      hint: `name the other one differently, or give processor: "${MAIN}"`,
    },
  );
}
