/** What the kernel itself says to the model. Short, in the queue, neither indexed nor summarised. */
import type { Instant, Message, Notice, Seq, Tokens } from '@pagefault/contracts';
import { groupDigits } from './text.js';

function notice(kind: Notice, seq: Seq, at: Instant, text: string): Message {
  return { id: kernelMessageId(seq), role: 'system', at, notice: kind, parts: [{ type: 'text', text }] };
}

/** Positions are unique in a process, and so are these ids. */
export function kernelMessageId(seq: Seq): string {
  return `kernel-${seq}`;
}

export function isKernelId(id: string): boolean {
  return /^kernel-\d+$/.test(id);
}

export function pressureWarning(seq: Seq, at: Instant, pressure: Tokens, budget: Tokens): Message {
  return notice(
    'pressure',
    seq,
    at,
    `[Memory pressure: ${groupDigits(pressure)} of ${groupDigits(budget)} tokens used. Older messages will soon leave the ` +
      'queue for recall storage. Save now what must stay in view: core_memory_append for what is always needed, ' +
      'archival_memory_insert for the rest.]',
  );
}

export function interruptedNotice(seq: Seq, at: Instant): Message {
  return notice('interrupted', seq, at, '[The reply above was interrupted and is not complete.]');
}

export function truncatedNotice(seq: Seq, at: Instant): Message {
  return notice('truncated', seq, at, '[The reply above was cut by the output limit.]');
}

export function unpinnedNotice(seq: Seq, at: Instant, handles: readonly string[]): Message {
  const names = handles.join(', ');
  const shown = names.length > MOST_NAMED ? `${handles.length} pages` : names;
  return notice(
    'unpinned',
    seq,
    at,
    `[No longer pinned, for lack of room: ${shown}. Read with page_in what you still need.]`,
  );
}

/** Characters of names: so that the notice itself stays small. */
const MOST_NAMED = 60;

/** What others changed in the blocks since they were rendered. */
export function blockNotice(seq: Seq, at: Instant, text: string): Message {
  return notice('block-edit', seq, at, text);
}

export const STOPPED_CALL = 'Stopped by the user before it was done.';
export const UNKNOWN_OUTCOME =
  'Outcome unknown: the system stopped while this ran. It may or may not have happened; check before doing it again.';
export const NO_OUTPUT = '(no output)';
