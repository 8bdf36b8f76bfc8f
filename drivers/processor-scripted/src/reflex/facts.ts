import { cut, oneLine } from './text.js';

/** Something that users said about themselves, as one line of the `human` block. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  /** True when a new value takes the place of the old one. */
  readonly single: boolean;
}

export function lineOf(fact: Fact): string {
  return `${fact.label}: ${fact.value}`;
}

/** Code points of one value: a block of 2,000 characters should hold more than a few. */
const VALUE_LIMIT = 200;

/** The label of what fits no other: the user's own words. */
export const OWN_WORDS = 'Said';

/** The facts of one sentence that is no question. */
export function factsOf(sentence: string): readonly Fact[] {
  const clauses = clausesOf(sentence).filter((clause) => !PASSING.some((form) => form.test(clause)));
  return clauses.flatMap((clause) => factOf(clause) ?? []);
}

/** Of two values for one thing the last counts. */
export function lastOfEach(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact, at) => {
    const isSame = (other: Fact) => other.label === fact.label && (fact.single || other.value === fact.value);
    return facts.findLastIndex(isSame) === at;
  });
}

const FILLER =
  /^(?:hi|hello|hey|well|so|actually|also|and|but|now|ok|okay|please|yes|no|sorry|by the way)\b[,.!]?\s*/i;

function clausesOf(sentence: string): readonly string[] {
  return oneLine(sentence)
    .split(/(?:\s+(?:and|but)\s+|[,;]\s*(?:and\s+|but\s+)?)(?=(?:i|i'm|i've|my)\b)/i)
    .map((clause) =>
      clause
        .replace(FILLER, '')
        .replace(FILLER, '')
        .replace(/[\s.,;!]+$/, ''),
    );
}

/** First-person clauses about the moment, or whose value is only a pointing word. */
const PASSING: readonly RegExp[] = [
  /^i(?:'m| am) (?:just |so |very |really )?(?:fine|good|ok|okay|well|great|sorry|sure|not sure|here|back|done|ready|tired|going|trying|looking|glad|afraid|happy to)\b/i,
  /^i(?:'ve| have) (?!moved to)(?:a question|an idea|no idea|to|been|just|never|seen|heard|\w+[^e]ed)\b/i,
  /^i (?:\w+ )?(?:like|love|enjoy|hate) (?:it|that|this|them|you|your)\b/i,
  /^my name (?:is not|isn't) [^,;]+$/i,
  /^my (?:question|point|guess|problem|idea|bad|fault|apologies)\b/i,
];

/** What is noted is true now; a note of it is read later. */
const AT_PRESENT = / (?:now|these days|at the moment|nowadays)$/i;

type Make = (match: RegExpExecArray) => Fact | undefined;

const many = (label: string, value: string): Fact => ({
  label,
  value: cut(value, VALUE_LIMIT),
  single: false,
});
const one = (label: string, value: string): Fact => ({
  ...many(label, value.replace(AT_PRESENT, '')),
  single: true,
});

/** Tried in order; the first that matches decides. */
const PATTERNS: readonly (readonly [RegExp, Make])[] = [
  [
    /^my ([^.:]{1,60}?) (?:is not|isn't) [^,;]+?[,;]? (?:but|it's|it is) (.+)$/i,
    (m) => one(capitalised(m[1]!), m[2]!),
  ],
  [
    /^(?:my name is|my name's|(?:you can )?call me|i'm called|i am called|i go by) (.+)$/i,
    (m) => one('Name', m[1]!),
  ],
  [/^(?:i|we) (?:now |currently )?live in (.+)$/i, (m) => one('Lives in', m[1]!)],
  [
    /^(?:i|we)(?:'ve| have)? (?:just |recently )?moved to (.+?)(?: (?:today|yesterday|(?:last|this) \w+))?$/i,
    (m) => one('Lives in', m[1]!),
  ],
  [/^i (?:now |currently )?work (as|at|for|in) (.+)$/i, (m) => one(`Works ${m[1]!.toLowerCase()}`, m[2]!)],
  [/^i (?:really |also )?(?:like|love|enjoy) (.+)$/i, (m) => many('Likes', m[1]!)],
  [/^i (?:really )?(?:don't like|do not like|dislike|hate) (.+)$/i, (m) => many('Dislikes', m[1]!)],
  [/^my ([^.:]{1,60}?) (?:is|are)(?: now)? (.+)$/i, (m) => one(capitalised(m[1]!), m[2]!)],
  [/^i(?:'m|'ve| am| have) .+$/i, (m) => many(OWN_WORDS, m[0])],
  [/^i (\p{L}+)\b.*$/iu, (m) => (isPassing(m[1]!) ? undefined : many(OWN_WORDS, m[0]))],
];

function factOf(clause: string): Fact | undefined {
  for (const [pattern, make] of PATTERNS) {
    const match = pattern.exec(clause);
    if (match !== null) return make(match);
  }
  return undefined;
}

/** Verbs that say what goes on, and not what somebody is like. */
const PASSING_VERBS = new Set(
  (
    'think guess wonder mean see understand hope want need wish suppose believe feel know forgot forget can ' +
    'could will would shall should may might must do did does was were went saw had got made took came said ' +
    'told gave found thought bought ate met left felt heard lost won woke drove just think ask asked'
  ).split(' '),
);

function isPassing(verb: string): boolean {
  const lower = verb.toLowerCase();
  return PASSING_VERBS.has(lower) || /[^e]ed$/.test(lower);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
