import type { Message } from '@pagefault/contracts';
import { renderSummary } from '../summary.js';
import type { ProcessState } from '../state.js';
import { breakpointsOf } from './breakpoints.js';
import { foldIntoUsers } from './fold.js';

/** Turns main context into what goes over the wire. Pure: the same state and tail give the same bytes. */
export interface Layout {
  readonly id: string;
  /**
   * False: the blocks are live. True: they are sent as they were rendered at the last reclaim (`state.rendered`), and
   * what others changed since stands in notes in the queue.
   */
  readonly rendersAtReclaim: boolean;
  /** True: notices and tail open the users' messages, so that only those end a request. Default: the tail comes last. */
  readonly endsWithUser?: boolean;
  /** The system message: instructions and whatever of the blocks belongs there. */
  system(instructions: string, state: ProcessState): string;
  /** What stands between the system message and the queue. */
  lead(state: ProcessState): readonly Message[];
}

export interface LaidOut {
  readonly messages: readonly Message[];
  readonly breakpoints: readonly number[];
}

/** Lead, queue, tail; or with the tail and the notices inside the users' messages. */
export function layOut(layout: Layout, state: ProcessState, tail: string): LaidOut {
  const lead = layout.lead(state);
  const queue: Message[] = [];
  // A plain loop: it runs over every resident message at every step.
  for (const page of state.pages) for (const { message } of page.messages) queue.push(message);
  const folded = layout.endsWithUser ? foldIntoUsers(queue, tail) : undefined;
  if (folded) {
    const breakpoints = [...new Set([0, lead.length, lead.length + folded.lastUser])];
    return { messages: [...lead, ...folded.messages], breakpoints };
  }
  const messages = [...lead, ...queue, tailMessage(tail)];
  return { messages, breakpoints: breakpointsOf(messages, lead.length) };
}

/** The summary as it is sent, when there is one. */
export function summaryLead({ summary }: ProcessState): readonly Message[] {
  return summary ? [summaryMessage(renderSummary(summary))] : [];
}

/** Its id is fixed: it is not a message of the log. */
export function summaryMessage(text: string): Message {
  return { id: 'summary', role: 'system', at: 0, parts: [{ type: 'text', text }] };
}

/** The blocks, where they are a message of their own. */
export function blocksMessage(text: string): Message {
  return { id: 'blocks', role: 'system', at: 0, parts: [{ type: 'text', text }] };
}

/** Volatile facts go last, where they cost no cached prefix. */
export function tailMessage(text: string): Message {
  return { id: 'tail', role: 'system', at: 0, parts: [{ type: 'text', text }] };
}
