import { intentOf } from './intent.js';
import { hasTool, outcomeOf, type Rule, type Wish } from './rule.js';
import { cut } from './text.js';
import { complaint, type Turn } from './turn.js';

/** "Remember that …" goes to archival storage. */
export const remember: Rule = {
  wants(turn) {
    const wish = wishOf(turn);
    return wish === undefined ? [] : [wish];
  },
  says(turn) {
    const wish = wishOf(turn);
    if (wish === undefined) return undefined;
    if (!hasTool(turn, wish.name)) return 'I have no archival storage, but our conversation is kept.';
    const outcome = outcomeOf(turn, wish);
    if (outcome === undefined) return 'I did not get to write that down. Our conversation still holds it.';
    if (outcome.result.isError === true) {
      return `I could not write that to archival storage (${complaint(outcome)}). Our conversation still holds it.`;
    }
    return `I will remember it: "${cut(String(wish.input.content), 200)}"`;
  },
};

function wishOf(turn: Turn): Wish | undefined {
  const content = turn.task === undefined ? undefined : intentOf(turn.task).remember;
  return content === undefined ? undefined : { name: 'archival_memory_insert', input: { content } };
}
