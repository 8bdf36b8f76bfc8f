import type { Fact } from '@pagefault/contracts';
import type { DriverKind } from '../config/index.js';

/** What a look at one driver came to. */
export interface Finding {
  readonly kind: DriverKind;
  readonly driver: string;
  /** Of a processor among several: what the configuration calls it. */
  readonly name?: string;
  /** It opened, and gave back what was written to it. */
  readonly isWell: boolean;
  readonly facts: readonly Fact[];
  /** Milliseconds that opening and trying took. */
  readonly took: number;
  /** Set when it is not well. */
  readonly problem?: unknown;
}

/** A driver in doubt. */
export interface Patient {
  readonly kind: DriverKind;
  readonly driver: string;
  readonly name?: string;
  /** Opens it and tries it; resolves to what is good to know. */
  examine(signal: AbortSignal): Promise<readonly Fact[]>;
}
