/**
 * Exact values (identifiers, addresses, dates, amounts, names) are carried beside the summary word for word:
 * a paraphrase of an incident number is no incident number (field report A49). Found by form, not by a model,
 * so that the same pages always give the same facts.
 */
import type { Message } from '@pagefault/contracts';
import { notedText } from './documents.js';
import type { Fact, ResidentMessage } from './state.js';
import { ownWords } from './stub.js';
import { codePoints } from './text.js';

/** Most exact first: when room is short, the later kinds go first. */
const VALUE_FORMS: readonly RegExp[] = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu,
  /\bhttps?:\/\/[^\s<>"']+|\b[\w.+-]+@[\w-]+\.[\w.-]+\b/gu,
  /\b(?=[\w-]*\p{L})(?=[\w-]*\d)[\p{L}\d]+(?:[-_][\p{L}\d]+)+\b|\b\p{Lu}+\d{2,}\b/gu,
  /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)(?:,? \d{4})?\b/gu,
  /(?:[€$£]\s?)?\b\d[\d,.]*\d\b\s?(?:%|\p{L}{1,3}\b)?/gu,
  /\bmy \p{L}+(?: \p{L}+)? is [\p{L}\d][^.!?\n]{0,60}/giu,
];

/** Characters kept on each side of a value: enough to say whose number it is. */
const CONTEXT = 48;

interface Candidate extends Fact {
  readonly rank: number;
}

/** The old facts and those of the pages that leave, within `characters`; newest last. */
export function carryFacts(
  previous: readonly Fact[],
  leaving: readonly ResidentMessage[],
  characters: number,
): readonly Fact[] {
  const found = leaving.flatMap((one) => findFacts(ownWords(one), one.seq));
  const kept = previous.map((fact): Candidate => ({ ...fact, rank: rankOf(fact.text) }));
  return withinSize(dropRepeated([...kept, ...found]), characters);
}

/** In what was said and in what tools found; not in what memory put back, which is a fact of another message. */
export function findFacts(message: Message, seq: number): Candidate[] {
  const own = message.role === 'assistant' ? ({ own: true } as const) : {};
  return factsOf(notedText(message), seq).map((fact) => ({ ...fact, ...own }));
}

function factsOf(text: string, seq: number): Candidate[] {
  const taken: { from: number; to: number }[] = [];
  const facts: Candidate[] = [];
  for (const [rank, form] of VALUE_FORMS.entries()) {
    for (const match of text.matchAll(form)) {
      if (taken.some((span) => match.index < span.to && match.index + match[0].length > span.from)) continue;
      const span = surroundings(text, match.index, match.index + match[0].length);
      taken.push(span);
      facts.push({ text: text.slice(span.from, span.to).replace(/\s+/gu, ' ').trim(), seq, rank });
    }
  }
  return facts;
}

/** How many exact values stand in the text; counts no further than `most`. */
export function countFacts(text: string, most: number): number {
  const taken: { from: number; to: number }[] = [];
  for (const form of VALUE_FORMS) {
    for (const { index, 0: value } of text.matchAll(form)) {
      if (taken.length >= most) return most;
      const to = index + value.length;
      if (!taken.some((span) => index < span.to && to > span.from)) taken.push({ from: index, to });
    }
  }
  return taken.length;
}

/** Widened to at most `CONTEXT` characters on each side, within the line, cut at white space. */
function surroundings(text: string, from: number, to: number): { from: number; to: number } {
  const left = text.slice(Math.max(0, from - CONTEXT), from);
  const right = text.slice(to, to + CONTEXT);
  const start = Math.max(left.lastIndexOf('\n'), from > CONTEXT ? left.search(/\s/u) : -1) + 1;
  const lineEnd = right.search(/\n/u);
  const line = lineEnd < 0 ? right : right.slice(0, lineEnd);
  const cut = to + CONTEXT < text.length && lineEnd < 0 ? line.replace(/\s?\S*$/u, '') : line;
  return { from: from - left.length + start, to: to + cut.length };
}

function rankOf(text: string): number {
  const rank = VALUE_FORMS.findIndex((form) => text.search(form) >= 0);
  return rank < 0 ? VALUE_FORMS.length : rank;
}

/** The later of two equal facts stays; what somebody else said, too, is not the model's own. */
function dropRepeated(facts: readonly Candidate[]): Candidate[] {
  const latest = new Map<string, Candidate>();
  for (const fact of facts) {
    const { own, ...said } = fact;
    const isOwn = own && (latest.get(fact.text)?.own ?? !latest.has(fact.text));
    // Deleted first, so that it also takes the later place: what is said again is not old.
    latest.delete(fact.text);
    latest.set(fact.text, isOwn ? fact : said);
  }
  return [...latest.values()];
}

/**
 * What others said and what tools found before what the model said, which it has from them or made up; then the most exact
 * forms, then the newest.
 */
function withinSize(facts: readonly Candidate[], characters: number): Fact[] {
  let left = characters;
  const bestFirst = [...facts.entries()].toSorted(
    ([i, a], [j, b]) => Number(a.own ?? false) - Number(b.own ?? false) || a.rank - b.rank || j - i,
  );
  const kept = bestFirst.filter(([, fact]) => (left -= codePoints(fact.text) + 1) >= 0);
  return kept.toSorted(([i], [j]) => i - j).map(([, { rank: _, ...fact }]) => fact);
}
