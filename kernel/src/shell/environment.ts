import type { Tokens } from '@pagefault/contracts';
import type { Dialect } from '../core/dialect/dialect.js';
import type { Layout } from '../core/layout/layout.js';
import type { Limits } from '../limits.js';
import type { PolicyFactory } from '../policy/policy.js';
import type { Indexer } from './search/indexer.js';
import type { RecordingStore } from './recordings/recording.js';
import { SecondLooks } from './erasure/second-look.js';
import type { Runner } from './runner.js';
import type { Services } from './services.js';

/** What every process of one kernel runs with. */
export interface Environment {
  readonly services: Services;
  readonly limits: Limits;
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly policy: PolicyFactory;
  readonly indexer?: Indexer | undefined;
  /** Caps the processor's own window. */
  readonly window?: Tokens | undefined;
  readonly record?: RecordingStore | undefined;
  /** Who this kernel is to the store's leases. */
  readonly owner: string;
  /** Those that attach now and may be in the middle of a turn: closing must stop them too. */
  readonly attaching: Attaching;
  readonly secondLooks: SecondLooks;
}

/** What a kernel is given, and what it makes of it for its processes. */
export function withServices<Parts extends Omit<Environment, 'services' | 'attaching' | 'secondLooks'>>(
  parts: Parts,
  services: Services,
): Parts & Environment {
  const { indexer, limits } = parts;
  const [after, retry] = [limits.erasureAgainMs, limits.pollMs];
  const secondLooks = new SecondLooks({ services, indexer, after, retry });
  return { ...parts, services, attaching: new Attaching(), secondLooks };
}

/** Once it is shut, a runner that comes is shut too: closing waits for none that begins meanwhile. */
export class Attaching {
  readonly #runners = new Set<Runner>();
  #isShut = false;

  add(runner: Runner): void {
    this.#runners.add(runner);
    if (this.#isShut) stop(runner);
  }

  delete(runner: Runner): void {
    this.#runners.delete(runner);
  }

  shut(): void {
    this.#isShut = true;
    for (const runner of this.#runners) stop(runner);
  }
}

function stop(runner: Runner): void {
  void runner.shut();
  runner.stopTurn();
}
