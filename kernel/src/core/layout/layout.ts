import type { Message } from '@pagefault/contracts';
import type { Block, ProcessState } from '../state.js';

/** Turns main context into what goes over the wire. Pure: the same state and tail give the same bytes. */
export interface Layout {
  readonly id: string;
  /** The system message: instructions and whatever of the blocks belongs into the prefix. */
  system(instructions: string, blocks: readonly Block[]): string;
  /** Summary, queue, tail. */
  messages(state: ProcessState, tail: string): readonly Message[];
}

/** The summary as it is sent. Its id is fixed: it is not a message of the log. */
export function summaryMessage(text: string): Message {
  return { id: 'summary', role: 'system', at: 0, parts: [{ type: 'text', text }] };
}

/** Volatile facts go last, where they cost no cached prefix. */
export function tailMessage(text: string): Message {
  return { id: 'tail', role: 'system', at: 0, parts: [{ type: 'text', text }] };
}
