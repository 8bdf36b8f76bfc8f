/** The kernel's words inside the users' messages, for layouts in which nobody else may speak amid the conversation. */
import type { Message, Part } from '@pagefault/contracts';

export interface Folded {
  readonly messages: readonly Message[];
  /** Where the last user's message stands; it holds the tail. */
  readonly lastUser: number;
}

interface Opened {
  readonly message: Message;
  readonly words: string[];
}

/**
 * A notice opens the user's message right before it, or else the next one, or the last. Timers and the system wake a
 * process to be answered: they take a user's place, and their headers say who they are. Undefined when there is no such
 * message to open.
 */
export function foldIntoUsers(queue: readonly Message[], tail: string): Folded | undefined {
  const folded: Opened[] = [];
  let waiting: string[] = [];
  for (const message of queue) {
    const last = folded.at(-1);
    if (message.notice === undefined) {
      folded.push({ message, words: isAnswered(message) ? waiting : [] });
      if (isAnswered(message)) waiting = [];
    } else (last && isAnswered(last.message) ? last.words : waiting).push(textOf(message));
  }
  const lastUser = folded.findLastIndex(({ message }) => isAnswered(message));
  folded[lastUser]?.words.push(...waiting, tail);
  return lastUser < 0 ? undefined : { messages: folded.map(opened), lastUser };
}

function isAnswered({ role }: Message): boolean {
  return role === 'user' || role === 'system';
}

/** Parts of their own, so that the user's words stay what they are; the empty line is for drivers that join them. */
function opened({ message, words }: Opened): Message {
  if (!isAnswered(message)) return message;
  const parts = words.map((text): Part => ({ type: 'text', text: `${text}\n` }));
  return { ...message, role: 'user', parts: [...parts, ...message.parts] };
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
