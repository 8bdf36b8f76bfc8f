/** Which budgets are tried: tokens, shares of the trace, and ranges of either. */
import { PagefaultError, type Tokens } from '@pagefault/contracts';
import { type PagingTrace, stepCount } from '../trace/paging-trace.js';
import { sessionStarts } from '../trace/sessions.js';

/** Tokens, or a share of all tokens of the trace; where it has more sessions than one, of the largest of them. */
export type BudgetChoice = ({ readonly tokens: Tokens } | { readonly share: number }) & {
  /** One of a range: it is left out where no request could hold the largest page. */
  readonly ranged?: true;
};

export function tokensOf(trace: PagingTrace, choice: BudgetChoice): Tokens {
  if ('tokens' in choice) return choice.tokens;
  return Math.max(1, Math.round(largestSession(trace) * choice.share));
}

/** Tokens of the session that has most of them. */
export function largestSession(trace: PagingTrace): Tokens {
  const starts = [...sessionStarts(trace), stepCount(trace)];
  const sizes = starts.slice(1).map((end, at) => {
    const pages = [trace.ownStart[starts[at] ?? 0], trace.bornStart[end]] as const;
    return sum(trace.tokens.subarray(...pages));
  });
  return Math.max(...sizes);
}

/** Tokens of all pages together. */
export function wholeOf({ tokens }: PagingTrace): Tokens {
  return sum(tokens);
}

const sum = (tokens: Int32Array) => tokens.reduce((all, size) => all + size, 0);

/** What sizes are called, and what they are counted in. */
export interface SizeWords {
  readonly size: string;
  readonly unit: string;
}

const TOKENS: SizeWords = { size: 'budget', unit: 'tokens' };

const hintOf = ({ unit }: SizeWords) =>
  `${unit}, such as 32000 or 32k, a share of the trace, such as 25%, or a range, such as 5%..100%:10`;

/** `25%`, `32000` or `32k`. Errors: `E_CONFIG`. */
export function budgetChoice(text: string, words: SizeWords = TOKENS): BudgetChoice {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?|\.\d+)(%|k|)$/i.exec(text.trim()) ?? [];
  const value = Number(number);
  if (number !== '' && value > 0 && unit === '%' && value <= 100) return { share: value / 100 };
  if (number !== '' && value > 0 && unit !== '%')
    return { tokens: Math.round(unit === '' ? value : value * 1_000) };
  throw new PagefaultError('E_CONFIG', `"${text}" is no ${words.size}`, { hint: hintOf(words) });
}

/** Of a range, when it does not say. */
const STEPS = 10;
/** A chart has no room for more, and a run no time. */
const MOST_STEPS = 1_000;

/** Single ones, and ranges: `5%..100%:20` is twenty from one to the other, both in it. Errors: `E_CONFIG`. */
export function budgetChoices(texts: readonly string[], words: SizeWords = TOKENS): readonly BudgetChoice[] {
  return texts.flatMap((text) => (text.includes('..') ? rangeOf(text, words) : [budgetChoice(text, words)]));
}

function rangeOf(text: string, words: SizeWords): readonly BudgetChoice[] {
  const [, from = '', to = '', count = String(STEPS)] = /^(.+?)\.\.(.+?)(?::(\d+))?$/.exec(text.trim()) ?? [];
  const [least, most, steps] = [budgetChoice(from, words), budgetChoice(to, words), Number(count)];
  if (steps < 2 || steps > MOST_STEPS)
    throw refusedRange(text, words, `it has ${count} steps, not 2 to ${MOST_STEPS}`);
  const between = (a: number, b: number, at: number) => a + ((b - a) * at) / (steps - 1);
  const places = Array.from({ length: steps }, (_, at) => at);
  if ('share' in least && 'share' in most && least.share < most.share)
    return places.map((at) => ({ share: between(least.share, most.share, at), ranged: true }));
  if ('tokens' in least && 'tokens' in most && least.tokens < most.tokens)
    return places.map((at) => ({ tokens: Math.round(between(least.tokens, most.tokens, at)), ranged: true }));
  const { size, unit } = words;
  throw refusedRange(
    text,
    words,
    `it goes from a smaller ${size} to a larger one, both ${unit} or both shares`,
  );
}

function refusedRange(text: string, words: SizeWords, why: string): PagefaultError {
  return new PagefaultError('E_CONFIG', `"${text}" is no range of ${words.size}s: ${why}`, {
    hint: hintOf(words),
  });
}

export interface Budgets {
  /** Ascending, each once. */
  readonly budgets: readonly Tokens[];
  /** Of ranges, those in which no request could hold the largest page. */
  readonly leftOut: readonly Tokens[];
}

/** Errors: `E_CONFIG` for a budget below the largest page that was asked for by itself, and when none is left. */
export function budgetsFor(trace: PagingTrace, choices: readonly BudgetChoice[]): Budgets {
  const [largest, page] = largestPage(trace);
  const asked = choices.map((choice) => ({
    tokens: tokensOf(trace, choice),
    isRanged: choice.ranged === true,
  }));
  const tooSmall = asked.filter(({ tokens }) => tokens < largest);
  const refused =
    tooSmall.find(({ isRanged }) => !isRanged) ?? (asked.length === tooSmall.length && asked[0]);
  if (refused) throw belowPage(refused.tokens, largest, page, largestSession(trace));
  const sorted = (tokens: readonly Tokens[]) => [...new Set(tokens)].toSorted((a, b) => a - b);
  return {
    budgets: sorted(asked.map(({ tokens }) => tokens).filter((tokens) => tokens >= largest)),
    leftOut: sorted(tooSmall.map(({ tokens }) => tokens)),
  };
}

function largestPage({ tokens }: PagingTrace): readonly [Tokens, number] {
  let page = 0;
  for (const [id, size] of tokens.entries()) if (size > (tokens[page] ?? 0)) page = id;
  return [tokens[page] ?? 0, page];
}

function belowPage(budget: Tokens, largest: Tokens, page: number, whole: Tokens): PagefaultError {
  const share = Math.ceil((largest / whole) * 1_000) / 10;
  return new PagefaultError(
    'E_CONFIG',
    `a budget of ${budget} tokens is below the largest page: page ${page} has ${largest}, and no request could hold it`,
    { hint: `take ${largest} or more, ${share}% of this trace` },
  );
}
