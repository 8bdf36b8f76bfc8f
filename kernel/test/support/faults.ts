/** One fault in the whole life of a kernel: at its n-th effect, of one kind. */
import type { ProcessorDriver, RecallDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { Summariser } from '../../src/index.js';
import { turnOfTheLoop } from './recall.js';

/**
 * Throws before anything was done; waits; does its work and then throws, or a part of it; does it twice; from here on
 * nothing works any more, as after kill -9.
 */
export const FAULTS = ['throws', 'slow', 'half', 'twice', 'killed'] as const;
export type Fault = (typeof FAULTS)[number];

export class FaultInjector {
  readonly #at: number;
  readonly #fault: Fault;
  #count = 0;
  #dead = false;
  /** Which effect the fault struck. */
  struck: string | undefined;

  constructor(fault: Fault, at: number) {
    [this.#fault, this.#at] = [fault, at];
  }

  recall(base: RecallDriver): RecallDriver {
    const around =
      <Args extends unknown[], T>(name: string, work: (...args: Args) => Promise<T>) =>
      (...args: Args) =>
        this.#perform(name, () => work(...args));
    return {
      ...base,
      commit: around('commit', (...args) => base.commit(...args)),
      load: around('load', (...args) => base.load(...args)),
      get: around('get', (...args) => base.get(...args)),
      read: around('read', (...args) => base.read(...args)),
      erase: around('erase', (...args) => base.erase(...args)),
      acquireLease: around('acquireLease', (...args) => base.acquireLease(...args)),
    };
  }

  processor(base: ProcessorDriver): ProcessorDriver {
    const strike = (name: string) => this.#strike(name);
    return {
      ...base,
      count: (...args) => this.#perform('count', () => base.count(...args)),
      async *infer(request, signal) {
        const fault = await strike('infer');
        if (fault === 'throws') throw down('infer');
        for await (const event of base.infer(request, signal)) {
          yield event;
          if (fault === 'half') throw down('infer');
        }
      },
    };
  }

  summariser(base: Summariser): Summariser {
    return { ...base, summarise: (...args) => this.#perform('summarise', () => base.summarise(...args)) };
  }

  tool<Args extends unknown[], T>(work: (...args: Args) => Promise<T>): (...args: Args) => Promise<T> {
    return (...args) => this.#perform('tool', () => work(...args));
  }

  async #perform<T>(name: string, work: () => Promise<T>): Promise<T> {
    const fault = await this.#strike(name);
    if (fault === 'throws') throw down(name);
    // A tool that is called is called: doing it twice is the other side's matter.
    if (fault === 'twice' && name !== 'tool') await work().catch(() => undefined);
    if (fault !== 'twice' || name === 'tool') {
      const result = await work();
      if (fault === 'half') throw down(name);
      return result;
    }
    // The second of two equal commits is refused, and the first is what counts.
    return name === 'commit' ? (undefined as T) : work();
  }

  async #strike(name: string): Promise<Fault | undefined> {
    if (this.#dead) throw down(name);
    if (this.#count++ !== this.#at) return undefined;
    this.struck = name;
    if (this.#fault === 'slow') for (let n = 0; n < 5; n++) await turnOfTheLoop();
    if (this.#fault !== 'killed') return this.#fault;
    this.#dead = true;
    throw down(name);
  }
}

function down(name: string): PagefaultError {
  return new PagefaultError('E_OVERLOADED', `${name} is down`);
}
