/**
 * What the prompts of one conversation cost at a provider that caches prefixes, and why: each token of a prompt was read
 * from the cache, or is new, or had to be sent again because something before it had changed, or was lost to the steps in
 * which the provider caches. Worked out from the requests alone; what the provider reports is held against it.
 */
import { type ChatMessage, type ChatRequest, type PromptToken, tokensOf } from '@pagefault/doubles';

export interface PromptBill {
  readonly prompt: number;
  readonly cached: number;
  /** Never sent before: what was said and called since the request before, and the tail. */
  readonly fresh: number;
  /** Sent before, or in place of what was: behind the first change of the prefix. */
  readonly rewritten: number;
  /** In the cache, but beyond its last whole step. */
  readonly rounding: number;
}

/** The service's own steps (OpenAI's guide to prompt caching). */
const CACHE_MINIMUM = 1_024;
const CACHE_STEP = 128;

export function billOf(requests: readonly ChatRequest[]): PromptBill[] {
  const seen = new Set<string>();
  const earlier: (readonly PromptToken[])[] = [];
  return requests.map((request) => {
    const bill = billOne(request, seen, earlier);
    for (const message of queueOf(request)) seen.add(JSON.stringify(message));
    earlier.push(tokensOf(request));
    return bill;
  });
}

function billOne(
  request: ChatRequest,
  seen: ReadonlySet<string>,
  earlier: readonly (readonly PromptToken[])[],
): PromptBill {
  const tokens = tokensOf(request);
  const shared = Math.max(0, ...earlier.map((other) => sharedPrefix(other, tokens)));
  const cached = shared < CACHE_MINIMUM ? 0 : shared - ((shared - CACHE_MINIMUM) % CACHE_STEP);
  // The first request is new as a whole.
  const known = earlier.length === 0 ? 0 : knownTokens(request, seen);
  const fresh = Math.min(tokens.length - known, tokens.length - shared);
  const rewritten = tokens.length - shared - fresh;
  return { prompt: tokens.length, cached, fresh, rewritten, rounding: shared - cached };
}

/** Of everything but what is new in the queue, and the tail. */
function knownTokens(request: ChatRequest, seen: ReadonlySet<string>): number {
  const fresh = queueOf(request).filter((message) => !seen.has(JSON.stringify(message)));
  const messages = [...fresh, ...request.messages.slice(-1)];
  return tokensOf(request).length - tokensOf({ model: request.model, messages }).length;
}

/** Without the tail, and without what stands before the queue: system text, blocks and summary. */
function queueOf({ messages }: ChatRequest): readonly ChatMessage[] {
  return messages
    .slice(1, -1)
    .filter(({ content }) => !LEAD.test(typeof content === 'string' ? content : ''));
}

const LEAD = /^(?:<block |\[Summary of )/;

function sharedPrefix(a: readonly PromptToken[], b: readonly PromptToken[]): number {
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at += 1;
  return at;
}
