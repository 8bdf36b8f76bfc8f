import { analyse, analyseText } from './analysis.js';
import { type Asked, askedTimes } from './when.js';

/** What to look for, and whose words to prefer. */
export interface QueryPlan {
  /** Distinct, in the order of the question; those of the times that it names are last. Empty when the question has no letter, digit or pictograph. */
  readonly terms: readonly string[];
  /** Speakers that the question names, as they were given. */
  readonly named: readonly string[];
  /** True when nothing but function words was left to search for. */
  readonly onlyStopWords: boolean;
}

// These say what a message is, not who speaks: "how many users" names nobody.
const ROLES: ReadonlySet<string> = new Set(['', 'user', 'assistant', 'system', 'tool']);

/**
 * Function words are left out unless there is nothing else; speakers' names are left out too, for a
 * speaker is a field of the turn and not a word in it. A question that is only a name searches for it. A name
 * that is a function word (Will) names nobody.
 */
export function planQuery(question: string, speakers: readonly string[] = [], asked?: Asked): QueryPlan {
  const plan = planWords(question, speakers);
  return { ...plan, terms: [...plan.terms, ...askedTimes(question, asked)] };
}

function planWords(question: string, speakers: readonly string[]): QueryPlan {
  const { content, extra } = analyseText(question);
  const names = speakers.filter((name) => !ROLES.has(name)).map((name) => ({ name, terms: analyse(name) }));
  const words = new Set(content);
  const named = names.filter(({ terms }) => terms.some((term) => words.has(term))).map(({ name }) => name);
  const spoken = new Set(names.flatMap(({ terms }) => terms));
  const own = distinct(content.filter((term) => !spoken.has(term)));
  if (own.length > 0) return { terms: own, named, onlyStopWords: false };
  if (words.size > 0) return { terms: [...words], named, onlyStopWords: false };
  return { terms: distinct(extra), named, onlyStopWords: extra.length > 0 };
}

function distinct(terms: readonly string[]): readonly string[] {
  return [...new Set(terms)];
}
