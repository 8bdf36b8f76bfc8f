import type { EmbedPurpose } from '@pagefault/contracts';

/** Throws when the work should not go on. */
export type Checkpoint = () => void;

/** What one vector can stand for, cut from a text. */
export interface Piece<Window> {
  readonly window: Window;
  /** Token places that it takes in a batch. */
  readonly places: number;
  /** How much it counts in the mean over the pieces of its text. */
  readonly weight: number;
}

/** A model that is open: it cuts texts as it needs them, and gives each piece a vector of length 1. */
export interface SentenceModel<Window> {
  /** At least one piece, of a text with a visible character. */
  cut(text: string, purpose: EmbedPurpose): readonly Piece<Window>[];
  /** One vector of length 1 for each window, in order. Asks `checkpoint` whenever it yields. */
  run(windows: readonly Window[], checkpoint: Checkpoint): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}
