import { linesOf } from './blocks.js';
import { type Fact, lineOf, OWN_WORDS } from './facts.js';
import { intentOf } from './intent.js';
import { hasTool, outcomeOf, type Rule, type Wish } from './rule.js';
import { complaint, type Exchange, type Turn } from './turn.js';

/** The block that is about the user. */
export const HUMAN = 'human';

/** Saves what users state about themselves into the `human` block, and says what was saved. */
export const statements: Rule = {
  wants(turn) {
    const lines = linesOf(turn, HUMAN);
    return factsOfTask(turn).flatMap((fact) => wishFor(turn, fact, lines));
  },
  says(turn) {
    const facts = factsOfTask(turn);
    if (facts.length === 0) return undefined;
    if (!hasTool(turn, 'core_memory_append')) return `Thank you. I keep it with our conversation.`;
    const edits = turn.exchanges.filter((exchange) => /^core_memory_(append|replace)$/.test(exchange.name));
    const saved = edits.filter(isDone).flatMap((edit) => contentOf(edit));
    const failed = edits.filter((edit) => !isDone(edit) && !saved.includes(contentOf(edit)));
    return acknowledgement(facts, saved, failed);
  },
};

function factsOfTask(turn: Turn): readonly Fact[] {
  return turn.task === undefined ? [] : intentOf(turn.task).facts;
}

function wishFor(turn: Turn, fact: Fact, lines: readonly string[]): readonly Wish[] {
  const line = lineOf(fact);
  if (lines.some((other) => other.toLowerCase() === line.toLowerCase())) return [];
  const append = { name: 'core_memory_append', input: { name: HUMAN, content: line } };
  const old = fact.single ? lines.find((other) => other.startsWith(`${fact.label}: `)) : undefined;
  if (old === undefined || !hasTool(turn, 'core_memory_replace')) return [append];
  const replace = {
    name: 'core_memory_replace',
    input: { name: HUMAN, old_content: old, new_content: line },
  };
  // The block may have been changed by others since it was rendered; then the new line is still kept.
  return outcomeOf(turn, replace)?.result.isError === true ? [append] : [replace];
}

function isDone(edit: Exchange): boolean {
  return edit.result.isError !== true;
}

function contentOf(edit: Exchange): string {
  return String(edit.input.content ?? edit.input.new_content);
}

function acknowledgement(
  facts: readonly Fact[],
  saved: readonly string[],
  failed: readonly Exchange[],
): string {
  const name = facts.find((fact) => fact.label === 'Name')?.value;
  const parts = [name === undefined ? 'Thank you for telling me.' : `Nice to meet you, ${name}!`];
  if (saved.length > 0) parts.push(`I have noted: ${saved.map(plain).join('; ')}.`);
  else if (failed.length === 0)
    parts.push(`I had noted that already: ${facts.map(lineOf).map(plain).join('; ')}.`);
  const [first] = failed;
  if (first !== undefined) {
    const lost = failed.map((edit) => plain(contentOf(edit))).join('; ');
    parts.push(`I could not note this: ${lost} (${complaint(first)}). Our conversation still holds it.`);
  }
  return parts.join(' ');
}

function plain(line: string): string {
  return line.startsWith(`${OWN_WORDS}: `) ? `"${line.slice(OWN_WORDS.length + 2)}"` : line;
}
