import type { Instant } from '@pagefault/contracts';

/** One message of a transcript, ready to be appended to a process. */
export interface TranscriptMessage {
  /** Of the conversation and the position in it: the same in every run, so that feeding twice appends once. */
  readonly id: string;
  readonly conversation: string;
  readonly role: 'user' | 'assistant' | 'system';
  /** Never empty. */
  readonly text: string;
  /** Who speaks, when the transcript says it. */
  readonly name?: string;
  readonly at?: Instant;
  /** Unique among all conversations of the file. */
  readonly session?: string;
}

/** One JSON object of a transcript file. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** How one kind of transcript is told apart and read. */
export interface TranscriptFormat {
  readonly name: string;
  /** What a line looks like, for error messages. */
  readonly shape: string;
  matches(record: JsonRecord): boolean;
  /**
   * A reader for one file: it is given every record in order and may remember what came before. `unread` is told each
   * key of a record that means nothing to it, where a format is ours and every key was meant.
   */
  reader(
    file: string,
    unread: (key: string) => void,
  ): (record: JsonRecord, place: Place) => readonly TranscriptMessage[];
}

/** Where in a file something was read. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}
