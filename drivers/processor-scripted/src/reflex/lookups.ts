import { type Found, foundBy } from './hits.js';
import { intentOf } from './intent.js';
import { valueOf } from './pairs.js';
import { hasTool, outcomeOf, type Rule, type Wish } from './rule.js';
import { complaint, type Turn } from './turn.js';

/** Result pages that are read for one key before it counts as absent: 200 hits at ten a page. */
const MOST_PAGES = 20;

/** Follows a chain of look-ups: a value that is itself a key is looked up as well. */
export const lookups: Rule = {
  wants(turn) {
    const walk = walkOf(turn);
    return walk?.next === undefined ? [] : [walk.next];
  },
  says(turn) {
    const walk = walkOf(turn);
    return walk === undefined ? undefined : report(walk);
  },
  notes(turn) {
    const walk = walkOf(turn);
    return walk === undefined ? undefined : `Chain: ${walk.chain.join(ARROW)}`;
  },
};

const ARROW = ' -> ';

interface Walk {
  /** The key asked for, then each value. */
  readonly chain: readonly string[];
  /** The search that must come next; undefined at the end. */
  readonly next?: Wish;
  readonly loop?: boolean;
  /** Why it cannot go on. */
  readonly trouble?: string;
}

function walkOf(turn: Turn): Walk | undefined {
  const key = turn.task === undefined ? undefined : intentOf(turn.task).key;
  if (key === undefined) return undefined;
  const tool = ['archival_memory_search', 'conversation_search'].find((name) => hasTool(turn, name));
  if (tool === undefined) return { chain: [key], trouble: 'I have no search' };
  return follow(turn, tool, startOf(turn, tool, key));
}

function follow(turn: Turn, tool: string, start: readonly string[]): Walk {
  const chain = [...start];
  for (;;) {
    const key = chain.at(-1) ?? '';
    const step = lookUp(turn, tool, key);
    if (step.value === undefined) return { chain, ...step };
    const loop = chain.includes(step.value);
    chain.push(step.value);
    if (loop) return { chain, loop };
  }
}

/**
 * Where the walk stands. Earlier pages of this turn may have been evicted, so the latest note counts,
 * and without one the latest search.
 */
function startOf(turn: Turn, tool: string, key: string): readonly string[] {
  const noted = turn.thoughts.flatMap((thought) => /^Chain: (.+)$/m.exec(thought)?.[1] ?? []).at(-1);
  const chain = noted?.split(ARROW);
  if (chain?.[0] === key) return chain;
  const queries = turn.exchanges.filter((exchange) => exchange.name === tool).map(({ input }) => input.query);
  const latest = queries.at(-1);
  return queries.includes(key) || typeof latest !== 'string' ? [key] : [key, latest];
}

interface Step {
  readonly value?: string;
  readonly next?: Wish;
  readonly trouble?: string;
}

/** Reads the results for one key, page by page; asks for another page only when the last left it open. */
function lookUp(turn: Turn, tool: string, key: string): Step {
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const wish = { name: tool, input: { query: key, page } };
    const outcome = outcomeOf(turn, wish);
    if (outcome === undefined) return { next: wish };
    if (outcome.result.isError === true) return { trouble: complaint(outcome) };
    const found = foundBy(outcome);
    if (found === undefined) return { trouble: 'the result of the search cannot be read' };
    const value = found.hits.map((hit) => valueOf(key, hit.text)).find((one) => one !== undefined);
    if (value !== undefined) return { value };
    if (isConclusive(key, found)) return {};
  }
  return {};
}

/**
 * True when the key cannot be on a later page: there is none, or the hits that mention it came first and
 * are through.
 */
function isConclusive(key: string, { hits, page, pages }: Found): boolean {
  if (hits.length === 0 || page + 1 >= pages) return true;
  const mentions = hits.map((hit) => hit.text.includes(key));
  return mentions.includes(true) && mentions.at(-1) === false;
}

function report({ chain, loop, trouble, next }: Walk): string {
  const [key] = chain;
  const last = chain.at(-1) ?? '';
  const way = chain.join(ARROW);
  if (loop === true) return `The chain never ends: ${way} comes back to a key that it went through.`;
  const why = trouble ?? (next === undefined ? undefined : 'I had to stop before the end');
  if (chain.length === 1) {
    return why === undefined
      ? `There is no key "${key}" in memory.`
      : `I found no value for "${key}": ${why}.`;
  }
  if (why !== undefined)
    return `So far the value is ${last}, but ${why}, so I have not verified it. Chain: ${way}`;
  return `The value is ${last}. I verified that it is not a key. Chain: ${way}`;
}
