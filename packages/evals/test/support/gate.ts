import type { ArchivalDriver } from '@pagefault/contracts';

/** Holds vectors back while it is shut. */
export interface Gate {
  shut(): void;
  open(): void;
  /** Resolves when it is open. */
  passed(): Promise<void>;
}

export function createGate(): Gate {
  let open = (): void => undefined;
  let passed = Promise.resolve();
  return {
    shut: () => void (passed = new Promise((resolve) => (open = resolve))),
    open: () => open(),
    passed: () => passed,
  };
}

/**
 * An index that takes vectors only while the gate is open. How soon a text has its vector is a matter of speed, and what
 * is found by meaning meanwhile is as well: lives on different stacks are alike when no text gets its vector in mid-turn.
 */
export function gated(driver: ArchivalDriver, gate: Gate): ArchivalDriver {
  return {
    ...driver,
    async upsert(...args) {
      await gate.passed();
      await driver.upsert(...args);
    },
  };
}
