/**
 * Where a provider's prompt cache is told to keep the prefix. At most four, since providers refuse more over the whole
 * request (field report A58): after the system message, after what stands before the queue, and two that slide with the
 * queue's end.
 */
import type { Message } from '@pagefault/contracts';

/** Providers look this many content blocks back from a breakpoint for what they have cached (Anthropic's figure). */
const LOOK_BACK = 20;

/**
 * Of messages that end with the tail and begin with `lead` messages before the queue. Breakpoint n stands after the
 * first n messages; 0 is after the system message. Ascending, each once.
 */
export function breakpointsOf(messages: readonly Message[], lead: number): readonly number[] {
  const end = messages.length - 1;
  return [...new Set([0, lead, previousEnd(messages, lead, end), end])];
}

/**
 * The last but one stands where the queue ended at the request before: the reply and what followed it came since. When
 * that is more than one look-back away, it moves up to where a look-back still reaches from there; when two do not
 * reach either (a reply with very many calls), it stays, for then only a breakpoint at the very place finds it.
 */
function previousEnd(messages: readonly Message[], lead: number, end: number): number {
  const reply = messages.findLastIndex(({ role }) => role === 'assistant');
  const before = Math.max(lead, reply);
  let from = end;
  for (let blocks = 0; from > before; from--) {
    blocks += messages[from - 1]?.parts.length ?? 0;
    if (blocks > LOOK_BACK) break;
  }
  const gap = messages.slice(before, from).reduce((sum, { parts }) => sum + parts.length, 0);
  return from < end && gap <= LOOK_BACK ? from : before;
}
