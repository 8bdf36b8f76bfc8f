import type { Bill, Message, Part, Reply } from '@pagefault/contracts';
import { isKernelAnswer, messageText } from '../core/documents.js';
import type { SummaryInput } from '../core/events.js';

/** Folds what leaves the queue into the summary so far. */
export interface Summariser {
  readonly id: string;
  /** The name of the processor that writes, when it is not the one that the process runs on. */
  readonly processor?: string;
  /**
   * One flat text of about `maxTokens` or less.
   * `onReply` hears each reply of a model: what it cost, and who gave it. `onBills` hears what was billed beside.
   * Errors: `E_SUMMARY` when nothing usable came; whatever the processor throws.
   */
  summarise(
    input: SummaryInput,
    signal: AbortSignal,
    onReply?: (reply: Reply) => void,
    onBills?: (bills: readonly Bill[]) => void,
  ): Promise<string>;
}

/** A message as a line of a transcript. */
export function transcriptLine(message: Message): string {
  const speaker = message.name ?? message.role;
  const text = message.parts.every(isNoNews) ? '' : messageText(message);
  return text === '' ? '' : `${speaker}: ${text.replace(/\s+/gu, ' ').trim()}`;
}

function isNoNews(part: Part): boolean {
  return isKernelAnswer(part) || (part.type === 'result' && part.recalled !== undefined);
}

export function transcriptLines(messages: readonly Message[]): string[] {
  return messages.map(transcriptLine).filter((line) => line !== '');
}
