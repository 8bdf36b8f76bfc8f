import { linesOf } from './blocks.js';
import { OWN_WORDS } from './facts.js';
import { type Found, foundBy } from './hits.js';
import { intentOf } from './intent.js';
import { bestHits, quote } from './quote.js';
import { hasTool, outcomeOf, type Rule, type Wish } from './rule.js';
import { HUMAN } from './statements.js';
import { contentWords, cut, overlap } from './text.js';
import { complaint, type Turn } from './turn.js';

/** Answers from memory: the `human` block, the conversation and archival storage, naming the place. */
export const questions: Rule = {
  wants(turn) {
    return searchesFor(questionOf(turn));
  },
  says(turn) {
    const question = questionOf(turn);
    if (question === undefined) return undefined;
    const found = searchesFor(question).flatMap((wish) => foundBy(outcomeOf(turn, wish)) ?? []);
    const answer = [fromBlock(turn, question), fromHits(turn, question, found), failures(turn, question)];
    const said = answer.filter((part) => part !== undefined);
    return said.length > 0 ? said.join('\n') : nothingFound(turn, question);
  },
};

function questionOf(turn: Turn): string | undefined {
  return turn.task === undefined ? undefined : intentOf(turn.task).question;
}

function searchesFor(question: string | undefined): readonly Wish[] {
  if (question === undefined) return [];
  const input = { query: question, page: 0 };
  return [
    { name: 'conversation_search', input },
    { name: 'archival_memory_search', input },
  ];
}

const ABOUT_ME = /\bwho am i\b|\babout me\b/i;

function fromBlock(turn: Turn, question: string): string | undefined {
  const words = contentWords(question);
  const lines = linesOf(turn, HUMAN).map((line) => line.replace(new RegExp(`^${OWN_WORDS}: `), ''));
  const fitting = ABOUT_ME.test(question) ? lines : lines.filter((line) => overlap(words, line) > 0);
  return fitting.length === 0 ? undefined : `My notes about you say: ${fitting.slice(0, 5).join('; ')}.`;
}

function fromHits(turn: Turn, question: string, found: readonly Found[]): string | undefined {
  const words = contentWords(question);
  const best = bestHits(words, found);
  if (best.length === 0) return undefined;
  const name = linesOf(turn, HUMAN)
    .find((line) => line.startsWith('Name: '))
    ?.slice('Name: '.length);
  const quotes = best.map((hit) => quote(hit, words, name));
  const isClose = best.some((hit) => overlap(words, hit.text) > 0);
  if (!isClose) return `I found nothing that fits closely. The nearest is this. ${quotes[0] ?? ''}`;
  return quotes.length === 1 ? quotes[0] : `I found this:\n${quotes.map((text) => `- ${text}`).join('\n')}`;
}

function failures(turn: Turn, question: string): string | undefined {
  const failed = searchesFor(question).flatMap((wish) => {
    const outcome = outcomeOf(turn, wish);
    if (outcome === undefined || foundBy(outcome) !== undefined) return [];
    const why = outcome.result.isError === true ? complaint(outcome) : 'its result cannot be read';
    return [`${wish.name} failed: ${cut(why, 200)}`];
  });
  return failed.length === 0 ? undefined : `Not all of memory could be searched (${failed.join('; ')}).`;
}

const PLACES: Readonly<Record<string, string>> = {
  conversation_search: 'our conversation',
  archival_memory_search: 'archival storage',
};

function nothingFound(turn: Turn, question: string): string {
  const places = searchesFor(question)
    .filter((wish) => hasTool(turn, wish.name))
    .map((wish) => PLACES[wish.name] ?? wish.name);
  const where = ['my notes about you', ...places].join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `My memory has nothing about that. I searched ${where} for "${cut(question, 200)}"`;
}
