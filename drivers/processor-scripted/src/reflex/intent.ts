import { type Fact, factsOf, lastOfEach } from './facts.js';
import { cut, sentences } from './text.js';

/** What a user's message asks for. Several at once are possible. */
export interface Intent {
  readonly facts: readonly Fact[];
  readonly question: string | undefined;
  /** The identifier whose value is asked for. */
  readonly key: string | undefined;
  /** What is to be kept in archival storage. */
  readonly remember: string | undefined;
}

/** Code units that are looked at: people put what they want at the beginning. */
const READ_LIMIT = 4000;
/** Code points of a query: more words than this only blur a search. */
const QUERY_LIMIT = 400;
/** Code points of a passage that reflex writes; it must fit one reply, as JSON. */
export const REMEMBER_LIMIT = 2000;

/** Facts of one message: the calls that save them must fit one reply. */
const MOST_FACTS = 8;

export function intentOf(task: string): Intent {
  const read = task.slice(0, READ_LIMIT);
  const key = keyIn(read);
  if (key !== undefined) return { facts: [], question: undefined, key, remember: undefined };
  const remember = rememberIn(read);
  if (remember !== undefined)
    return { facts: factsIn(sentences(remember)), question: undefined, key, remember };
  const all = sentences(read);
  const questions = all.filter(isQuestion);
  const facts = factsIn(all.filter((sentence) => !isQuestion(sentence)));
  const question = questions.length === 0 ? undefined : cut(questions.join(' '), QUERY_LIMIT);
  return { facts, question, key, remember };
}

function factsIn(all: readonly string[]): readonly Fact[] {
  return lastOfEach(all.flatMap(factsOf)).slice(0, MOST_FACTS);
}

const QUESTION_START =
  /^(?:and |so |but |please |ok |okay )*(?:who|whom|whose|what|what's|where|when|which|why|how|do|does|did|is|are|was|were|can|could|will|would|(?:have|has) (?:i|you|we|they|he|she|it|my|your)|tell me|remind me|find|search|look up|show me)\b/i;

/** "When I was young, …" is no question. */
const CLAUSE_START = /^(?:when|where|what|how) (?:i|we)\b.*[,!]/i;

function isQuestion(sentence: string): boolean {
  return /[?\uff1f\u061f]/.test(sentence) || (QUESTION_START.test(sentence) && !CLAUSE_START.test(sentence));
}

const REMEMBER =
  /^\s*(?:please,?\s+|can you\s+|could you\s+)*(?:remember|note|make a note|keep in mind|don't forget)(?:\s+down)?(?:\s+that|\s*:)\s+(\S[^]*)$/i;

function rememberIn(text: string): string | undefined {
  const content = REMEMBER.exec(text)?.[1]?.trim();
  return content === undefined ? undefined : cut(content, REMEMBER_LIMIT);
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
const NAMED_KEY = /\bkey\s*[:=]?\s*["'`\u201c]([^"'`\u201d\s]{1,128})["'`\u201d]/i;

/** The key of a look-up: "the value of key …", with an identifier or a quoted word. */
function keyIn(text: string): string | undefined {
  if (!/\bvalue\b/i.test(text) || !/\bkey\b/i.test(text)) return undefined;
  return (UUID.exec(text)?.[0] ?? NAMED_KEY.exec(text)?.[1]) || undefined;
}
