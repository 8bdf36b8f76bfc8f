import { cut, oneLine } from './text.js';
import type { Turn } from './turn.js';

const GREETING = /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day))\b/i;
const THANKS = /^\W*(?:thanks|thank you|cheers|great|ok|okay|cool|bye|goodbye)\b/i;

const ABILITIES =
  'Tell me something about yourself and I note it, say "remember that …" and I keep it, or ask me what was said.';

/** What is said when no rule has anything to say. */
export function smalltalk(turn: Turn): string {
  if (turn.task === undefined) {
    return turn.event === undefined ? 'I am here.' : `Something happened: ${cut(oneLine(turn.event), 200)}`;
  }
  if (GREETING.test(turn.task)) return `Hello! ${ABILITIES}`;
  if (THANKS.test(turn.task)) return 'You are welcome.';
  return `I keep that with our conversation. ${ABILITIES}`;
}
