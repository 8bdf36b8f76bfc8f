import type { EmbedderDriver } from '@pagefault/contracts';
import type { ConformanceCase } from '../case.js';

export interface EmbedderInstance {
  readonly driver: EmbedderDriver;
  /**
   * How far a number of a vector may be from that of the same text embedded among other texts. Default 1e-4: sums of 32-bit
   * floats in another order. Models with 8-bit weights need more.
   */
  readonly tolerance?: number;
  /**
   * From now on the server behind the driver answers nothing. Resolves when a call waits for it. Left out by drivers
   * that work in process: of these only bulk work is stopped.
   */
  silence?(): Promise<void>;
  /** What is held open now: answers under way, native sessions. None when it is closed. */
  held?(): number;
}

export type EmbedderCase = ConformanceCase<EmbedderInstance>;
