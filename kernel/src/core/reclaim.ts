/**
 * The reclaim ladder. Each rung strictly shrinks the request, or says that it cannot; so a reclaim ends.
 *   0. pending edits of blocks are rendered, and the notes about them go, when that is enough or all that helps
 *   1. (at admission) an oversized part becomes a stub
 *   2. the policy's victims leave, whole pages, folded into the summary
 *   3. what is left large becomes a stub; the summary shrinks
 *   4. pinned pages become stubs; then the oldest pins are dropped
 *   5. irreducible: the error names the sizes
 */
import type { Message, PageId, Seq, Tokens } from '@pagefault/contracts';
import type { PagingPolicy } from '../policy/policy.js';
import { type Budget, shareOf } from './budget.js';
import type { MachineConfig } from './config.js';
import { isBlockNote } from './layout/rendering.js';
import { focusOf } from './page-view.js';
import { isPinned, pinnedPages } from './pins.js';
import {
  calibrated,
  countedTokens,
  fixedTokens,
  leastTokens,
  pageTokens,
  pressureOf,
  renderingGrowth,
} from './pressure.js';
import type { ProcessState, ResidentMessage, ResidentPage, Stub } from './state.js';
import { pendingCalls } from './queue.js';
import { stubMessage } from './stub.js';
import { codePoints } from './text.js';

export type ReclaimStep =
  | { readonly rung: 'render' }
  | {
      readonly rung: 'evict';
      readonly victims: readonly PageId[];
      readonly release: Tokens;
      readonly eligible: readonly PageId[];
      /** In the order of `eligible`. */
      readonly sizes: readonly Tokens[];
      readonly focus: readonly number[];
    }
  | { readonly rung: 'stub'; readonly page: PageId; readonly seq: Seq; readonly stub: Stub }
  | { readonly rung: 'shrink-summary' }
  | { readonly rung: 'unpin'; readonly pages: readonly PageId[] }
  | { readonly rung: 'irreducible' };

export function nextReclaim(
  state: ProcessState,
  config: MachineConfig,
  budget: Budget,
  policy: PagingPolicy,
): ReclaimStep {
  if (isHopeless(state, config, budget)) return { rung: 'irreducible' };
  const pagesThat = (pinned: boolean) => state.pages.filter(({ id }) => isPinned(state, id) === pinned);
  return (
    renderStep(state, uncalibrated(state, shareOf(budget, config.limits.warningShare))) ??
    evictStep(state, config, budget, policy) ??
    renderStep(state, Number.MAX_SAFE_INTEGER) ??
    stubStep(pagesThat(false), [1, 2], config, budget) ??
    (canShrinkSummary(state) ? { rung: 'shrink-summary' } : undefined) ??
    stubStep(pagesThat(true), [1], config, budget) ??
    unpinStep(state, config, budget) ??
    // Only of pins that may not leave: the others would free more by leaving.
    stubStep(pagesThat(true), [2], config, budget) ?? { rung: 'irreducible' }
  );
}

/** Then no rung is tried: cutting everything that was said would lose it from view, and help nobody. */
export function isHopeless(state: ProcessState, config: MachineConfig, budget: Budget): boolean {
  return calibrated(state, leastTokens(state)) > shareOf(budget, config.limits.flushShare);
}

/**
 * The blocks anew, when that shrinks the request to at most `enough` tokens as counted. Every other rung renders them as
 * well: by itself it pays only when no other is needed soon, since it rewrites all that follows the blocks.
 */
function renderStep(state: ProcessState, enough: Tokens): ReclaimStep | undefined {
  const growth = renderingGrowth(state);
  return growth < 0 && countedTokens(state) + growth <= enough ? { rung: 'render' } : undefined;
}

/** Whole pages, with as many recent exchanges kept as the budget allows. */
export function evictStep(
  state: ProcessState,
  config: MachineConfig,
  budget: Budget,
  policy: PagingPolicy,
): Extract<ReclaimStep, { rung: 'evict' }> | undefined {
  const growth = flushGrowth(state, config, budget);
  const over = countedTokens(state) + growth - uncalibrated(state, budget.tokens);
  const pages = mostExchangesKept(state, config.limits.keepExchanges, over);
  if (pages.length === 0) return undefined;
  const release = releaseFor(state, config, budget, pages, growth);
  const eligible = new Map(pages.map((page) => [page.id, pageTokens(page)]));
  const focus = focusOf(state);
  const asked = policy.victims({
    release,
    isEligible: (id) => eligible.has(id),
    tokensOf: (id) => eligible.get(id) ?? 0,
    focus,
    step: state.head.counters.cycles,
  });
  const victims = enough(asked, eligible, release);
  return {
    rung: 'evict',
    victims,
    release,
    eligible: [...eligible.keys()],
    sizes: [...eligible.values()],
    focus,
  };
}

/** What a flush adds: room that the summary may take and does not take yet, and the blocks as they are now. */
function flushGrowth(state: ProcessState, config: MachineConfig, budget: Budget): Tokens {
  const { summaryShare, factsShare } = config.limits;
  const summary = Math.max(0, shareOf(budget, summaryShare + factsShare) - (state.summary?.tokens ?? 0));
  return summary + renderingGrowth(state);
}

// One search hit with its handle, time and a line of text, and the marks around; with less, a result says nothing.
const LEAST_RESULT: Tokens = 160;
// The call's id and name, and what the wire puts around a result: twice what tokenizers make of 24 random characters.
const RESULT_OVERHEAD: Tokens = 40;
// A flush re-arms the warning, which may come at once; it is counted as 57 tokens. No other notice is longer.
const NOTICE: Tokens = 80;
// A summary that says nothing but of how many messages it is: counted as 40 tokens.
const LEAST_SUMMARY: Tokens = 60;

/**
 * The most that one of the results that are awaited may take: a share of the budget, and no more than stays free when
 * all that may go has gone and the calls behind it have the least. Else what was just read would be cut to a stub
 * unseen (A54, A55).
 */
export function roomPerResult(state: ProcessState, config: MachineConfig, budget: Budget): Tokens {
  const stays = countedTokens(state) - sum(eligiblePages(state, 0)) + flushGrowth(state, config, budget);
  const free = uncalibrated(state, shareOf(budget, config.limits.flushShare)) - stays;
  const behind = Math.max(0, pendingCalls(state).length - 1) * (LEAST_RESULT + RESULT_OVERHEAD);
  const room = free - behind - RESULT_OVERHEAD - NOTICE;
  return Math.max(LEAST_RESULT, Math.min(shareOf(budget, config.limits.windowShare), room));
}

/** By how much the model's edits may make its blocks longer, in tokens as counted. Nothing may be uncounted. */
export function roomForBlocks(state: ProcessState, { limits }: MachineConfig, budget: Budget): Tokens {
  const { tools = 0, system = 0, tail = 0, blocksAnew = 0 } = state.head.counts;
  const most = uncalibrated(state, shareOf(budget, Math.min(limits.fixedShare, limits.flushShare)));
  return Math.max(0, most - tools - system - tail - blocksAnew);
}

/** Target = max(share of the budget, what cannot go). In tokens as counted. */
function releaseFor(
  state: ProcessState,
  config: MachineConfig,
  budget: Budget,
  eligible: readonly ResidentPage[],
  growth: Tokens,
): Tokens {
  const counted = countedTokens(state) + growth;
  const target = uncalibrated(state, shareOf(budget, config.limits.targetShare));
  return Math.max(1, Math.min(counted - target, sum(eligible)));
}

/** Eligible pages with K exchanges kept, K as large as still frees enough; else with none kept. */
function mostExchangesKept(state: ProcessState, most: number, over: Tokens): ResidentPage[] {
  for (let kept = most; kept > 0; kept--) {
    const pages = eligiblePages(state, kept);
    if (sum(pages) >= over) return pages;
  }
  return eligiblePages(state, 0);
}

/**
 * Never the open page, nor the last one (the model has not seen it, A54; a notice after it changes nothing), nor the
 * last user message, nor what began the turn, nor a pinned page; nor anything of the last `exchanges` exchanges. An
 * exchange begins with a user's page.
 */
export function eligiblePages(state: ProcessState, exchanges: number): ResidentPage[] {
  const userPages = state.pages.filter((page) => page.kind === 'user').map((page) => page.id);
  const lastUser = userPages.at(-1) ?? 0;
  const keptFrom = exchanges > 0 ? (userPages.at(-exchanges) ?? 0) : Number.MAX_SAFE_INTEGER;
  const unseen = state.pages.findLastIndex((page) => !page.messages.every(({ message }) => message.notice));
  return state.pages
    .slice(0, Math.max(0, unseen))
    .filter((page) => page.sealed && page.id !== lastUser && page.id < keptFrom && !isBlockNote(page))
    .filter((page) => page.messages[0]?.seq !== state.turn?.firstSeq && !isPinned(state, page.id));
}

/** The policy's choice, made safe: eligible pages, each once, and topped up oldest first when they are too few. */
export function enough(
  asked: readonly PageId[],
  eligible: ReadonlyMap<PageId, Tokens>,
  release: Tokens,
): PageId[] {
  const victims = new Set(asked.filter((id) => eligible.has(id)));
  let released = [...victims].reduce((total, id) => total + (eligible.get(id) ?? 0), 0);
  for (const [id, tokens] of eligible) {
    if (released >= release) break;
    if (victims.has(id)) continue;
    victims.add(id);
    released += tokens;
  }
  return [...victims];
}

/** The largest message that a stub would shorten; first to head and tail, then to the handle alone. */
function stubStep(
  pages: readonly ResidentPage[],
  levels: readonly Stub['level'][],
  config: MachineConfig,
  budget: Budget,
): ReclaimStep | undefined {
  for (const level of levels) {
    const stub: Stub = { level, shown: shownCharacters(config, budget) };
    const candidates = pages.flatMap((page) => page.messages.map((message) => ({ page, message })));
    const largest = candidates
      .filter(({ message }) => (message.stub?.level ?? 0) < level && isWorthStubbing(message, stub))
      .toSorted((a, b) => (b.message.tokens ?? 0) - (a.message.tokens ?? 0))[0];
    if (largest) return { rung: 'stub', page: largest.page.id, seq: largest.message.seq, stub };
  }
  return undefined;
}

/**
 * The oldest pins whose pages free enough when they leave. When all of them would not do, they are kept: what must be
 * sent is too large without them too.
 */
function unpinStep(state: ProcessState, config: MachineConfig, budget: Budget): ReclaimStep | undefined {
  const most = uncalibrated(state, shareOf(budget, config.limits.flushShare));
  const flush = NOTICE + (state.summary ? 0 : LEAST_SUMMARY) + renderingGrowth(state);
  const over = countedTokens(state) + flush - most;
  const { pins: _, ...head } = state.head;
  const free = new Set(eligiblePages({ ...state, head }, 0).map(({ id }) => id));
  const dropped: ResidentPage[] = [];
  for (const page of pinnedPages(state).filter(({ id }) => free.has(id))) {
    dropped.push(page);
    if (sum(dropped) >= over) return { rung: 'unpin', pages: dropped.map(({ id }) => id) };
  }
  return undefined;
}

/** Code points shown of a stubbed item: never more than an eighth of the budget, a token being at least one. */
export function shownCharacters(config: MachineConfig, budget: Budget): number {
  return Math.max(16, Math.min(config.limits.stubCharacters, Math.floor(budget.tokens / 8)));
}

/** Code points: about four tokens of prose. A stub that saves less hides text for nothing. */
const LEAST_SAVING = 16;

function isWorthStubbing({ seq, message }: ResidentMessage, stub: Stub): boolean {
  if (message.parts.some((part) => part.type === 'image')) return true;
  return sizeOf(message) - sizeOf(stubMessage(message, seq, stub)) >= LEAST_SAVING;
}

function sizeOf(message: Message): number {
  return message.parts.reduce((sum, part) => {
    if (part.type === 'image') return sum;
    return sum + codePoints(part.type === 'call' ? part.arguments : part.text);
  }, 0);
}

function canShrinkSummary(state: ProcessState): boolean {
  return state.summary !== undefined && (state.summary.text !== '' || state.summary.facts.length > 0);
}

function sum(pages: readonly ResidentPage[]): Tokens {
  return pages.reduce((total, page) => total + pageTokens(page), 0);
}

function uncalibrated(state: ProcessState, tokens: Tokens): Tokens {
  return Math.floor((tokens * 1000) / state.head.calibration);
}

/** For the error: where the tokens are. */
export function describeSizes(state: ProcessState, budget: Budget): string {
  const { tools = 0, system = 0, blocks = 0, tail = 0 } = state.head.counts;
  const pages = countedTokens(state) - fixedTokens(state);
  return (
    `${pressureOf(state)} tokens must be sent, the budget is ${budget.tokens} ` +
    `(window ${budget.window} - output ${budget.reserve} - margin ${budget.margin}): ` +
    `tools ${calibrated(state, tools)}, system and blocks ${calibrated(state, system + blocks)}, ` +
    `summary ${calibrated(state, state.summary?.tokens ?? 0)}, queue ${calibrated(state, pages)}, tail ${calibrated(state, tail)}`
  );
}

export const IRREDUCIBLE_HINT =
  'shorten blocks or instructions, unpin pages, offer fewer tools, or use a larger window';
