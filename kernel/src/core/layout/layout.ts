import type { Message } from '@pagefault/contracts';
import { renderSummary } from '../summary.js';
import type { ProcessState } from '../state.js';
import { breakpointsOf } from './breakpoints.js';

/** Turns main context into what goes over the wire. Pure: the same state and tail give the same bytes. */
export interface Layout {
  readonly id: string;
  /**
   * False: the blocks are live. True: they are sent as they were rendered at the last reclaim (`state.rendered`), and
   * what others changed since stands in notes in the queue.
   */
  readonly rendersAtReclaim: boolean;
  /** True: tail and latest notices stand before the last user's message. Default: they come last. */
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

/** Lead, queue, tail; or the tail and the notices that end the queue before the last user's message. */
export function layOut(layout: Layout, state: ProcessState, tail: string): LaidOut {
  const lead = layout.lead(state);
  const messages = [...lead];
  // A plain loop: it runs over every resident message at every step.
  for (const page of state.pages) for (const { message } of page.messages) messages.push(message);
  if (layout.endsWithUser) return layOutBeforeUser(messages, lead.length, tail);
  messages.push(tailMessage(tail));
  return { messages, breakpoints: breakpointsOf(messages, lead.length) };
}

/** Only whole pages are passed over: calls and results stay behind the message that they serve. */
function layOutBeforeUser(queue: readonly Message[], lead: number, tail: string): LaidOut {
  const user = queue.findLastIndex(({ role }) => role === 'user');
  const end = queue.findLastIndex(({ role }) => role !== 'system') + 1;
  if (user < lead) {
    const messages = [...queue, tailMessage(tail)];
    return { messages, breakpoints: breakpointsOf(messages, lead) };
  }
  const kernels = [...queue.slice(end), tailMessage(tail)];
  const messages = [...queue.slice(0, user), ...kernels, ...queue.slice(user, end)];
  return { messages, breakpoints: [...new Set([0, lead, user])] };
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
