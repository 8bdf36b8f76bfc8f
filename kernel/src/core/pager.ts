/** Carries out the reclaim ladder on a draft. */
import type { PageId, Tokens } from '@pagefault/contracts';
import type { Limits } from '../limits.js';
import { type Budget, shareOf } from './budget.js';
import type { Draft } from './draft.js';
import { unpinnedNotice } from './notices.js';
import { nameOfPage, pinsOverLimit, withoutPins } from './pins.js';
import { countedTokens, leastTokens, pageTokens, pressureOf } from './pressure.js';
import { removePages, stubInQueue } from './queue.js';
import {
  describeSizes,
  evictStep,
  IRREDUCIBLE_HINT,
  isHopeless,
  nextReclaim,
  type ReclaimStep,
} from './reclaim.js';
import { renderAnew } from './rendered-blocks.js';
import { openPage, type ResidentMessage, type ResidentPage } from './state.js';
import { cutSummary, foldSummary, shrinkSummary, summaryInput } from './summary.js';

/** A token of plain prose is about four characters; three keeps lists of numbers within their share. */
const CHARACTERS_PER_TOKEN = 3;

export function mustReclaim(draft: Draft): boolean {
  return pressureOf(draft.state) > shareOf(draft.budget, draft.config.limits.flushShare);
}

/** One rung. True: the state changed, look again. False: a summary is awaited, or the turn has ended. */
export function reclaim(draft: Draft): void {
  draft.reclaimed = true;
  const step = nextReclaim(draft.state, draft.config, draft.budget, draft.parts.policy);
  switch (step.rung) {
    case 'render':
      return renderAnew(draft);
    case 'evict':
      return beginEviction(draft, step);
    case 'stub':
      return stub(draft, step);
    case 'shrink-summary':
      return shrink(draft);
    case 'unpin':
      return dropPins(draft, step.pages);
    case 'irreducible':
      return giveUp(draft);
  }
}

/**
 * Between two turns: down to the target, as at a flush, once it is worth it. Only pages that the policy gives up leave;
 * what is more than that waits until it must. True: it was begun.
 */
export function reclaimInBackground(draft: Draft): boolean {
  if (!draft.background) return false;
  draft.background = false;
  const { backgroundShare, targetShare } = draft.config.limits;
  if (pressureOf(draft.state) <= shareOf(draft.budget, Math.max(backgroundShare, targetShare))) return false;
  const step = evictStep(draft.state, draft.config, draft.budget, draft.parts.policy);
  if (step) beginEviction(draft, step);
  return step !== undefined;
}

/**
 * A calibration under which nothing can be sent at all is taken back, for no report could come any more to correct it:
 * one wrong figure would silence the process for ever. The turn is given up when the count itself does not fit, or
 * when it was the provider's refusal that raised it.
 */
function giveUp(draft: Draft): void {
  const { head } = draft.state;
  const message = describeSizes(draft.state, draft.budget);
  const least = isHopeless(draft.state, draft.config, draft.budget) ? leastTokens : countedTokens;
  const fits = head.calibration > 1000 && least(draft.state) <= draft.budget.tokens;
  if (fits) draft.state = { ...draft.state, head: { ...head, calibration: 1000 } };
  if (fits && !draft.turn?.overflowed) return;
  // What was stubbed is in recall; the words of a summary are nowhere else.
  if (draft.uncutSummary) draft.state = { ...draft.state, summary: draft.uncutSummary };
  draft.uncutSummary = undefined;
  draft.endTurn('failed', {
    code: 'E_CONTEXT_IRREDUCIBLE',
    message,
    hint: IRREDUCIBLE_HINT,
  });
}

function beginEviction(draft: Draft, step: Extract<ReclaimStep, { rung: 'evict' }>): void {
  const { cycles } = draft.state.head.counters;
  draft.observe({
    name: 'reclaim',
    step: cycles,
    release: step.release,
    eligible: step.eligible,
    sizes: step.sizes,
    focus: step.focus,
    victims: step.victims,
  });
  draft.leaving = new Set(step.victims);
  const input = summaryInput(
    draft.state.summary,
    leavingMessages(draft),
    summaryTokens(draft.budget, draft.config.limits),
  );
  if (input) draft.emit({ type: 'summarise', input });
  else finishEviction(draft, undefined);
}

export function summaryTokens(budget: Budget, { summaryShare }: Limits): Tokens {
  return shareOf(budget, summaryShare);
}

/** The most that the facts beside a summary may have. */
export function factCharacters(budget: Budget, { factsShare }: Limits): number {
  return shareOf(budget, factsShare) * CHARACTERS_PER_TOKEN;
}

function leavingPages(draft: Draft): ResidentPage[] {
  return draft.state.pages.filter((page) => draft.leaving?.has(page.id));
}

function leavingMessages(draft: Draft): readonly ResidentMessage[] {
  return leavingPages(draft).flatMap((page) => page.messages);
}

/** The victims leave, by id: pages that came meanwhile stay (A43). */
export function finishEviction(draft: Draft, text: string | undefined): void {
  const pages = leavingPages(draft);
  const before = pressureOf(draft.state);
  const most = factCharacters(draft.budget, draft.config.limits);
  const summary = foldSummary(draft.state.summary, leavingMessages(draft), text, most);
  const ids = new Set<PageId>(pages.map((page) => page.id));
  draft.state = { ...removePages(draft.state, ids), summary };
  draft.state = { ...draft.state, head: { ...draft.state.head, warned: false } };
  // In the policy's own order: for some, which of them went first decides who is next.
  for (const id of draft.leaving ?? []) draft.parts.policy.onResidency(id, 'evicted', 'reclaim');
  draft.leaving = undefined;
  draft.uncutSummary = undefined;
  renderAnew(draft);
  for (const page of pages) draft.observe({ name: 'page-evicted', page: page.id, tokens: pageTokens(page) });
  draft.bump({ flushes: 1, evicted: pages.length });
  draft.parts.policy.onBoundary?.('flush');
  draft.observe({ name: 'flush-finished', evicted: pages.length, before, after: pressureOf(draft.state) });
}

function stub(draft: Draft, step: Extract<ReclaimStep, { rung: 'stub' }>): void {
  const page = draft.state.pages.find(({ id }) => id === step.page);
  draft.state = stubInQueue(draft.state, step.seq, step.stub);
  renderAnew(draft);
  draft.bump({ stubs: 1 });
  draft.parts.policy.onResidency(step.page, 'stub', 'reclaim');
  draft.observe({ name: 'page-stubbed', page: step.page, before: page ? pageTokens(page) : 0 });
}

/** Pins under a window that shrank: the oldest go until the rest keeps within its limit. True: some went. */
export function dropPinsOverLimit(draft: Draft): boolean {
  // A notice cannot come between calls and their results.
  if (!draft.pinsInDoubt || openPage(draft.state)) return false;
  draft.pinsInDoubt = false;
  const dropped = pinsOverLimit(draft.state, draft.config, draft.budget);
  draft.state = withoutPins(draft.state, dropped, draft.budget);
  if (dropped.length > 0) tellDropped(draft, dropped);
  return dropped.length > 0;
}

function dropPins(draft: Draft, pages: readonly PageId[]): void {
  draft.state = withoutPins(draft.state, pages, draft.budget);
  tellDropped(draft, pages);
}

function tellDropped(draft: Draft, ids: readonly PageId[]): void {
  const names = draft.state.pages.filter(({ id }) => ids.includes(id)).map(nameOfPage);
  draft.appendNotice((seq, at) => unpinnedNotice(seq, at, names));
  for (const page of ids) draft.observe({ name: 'page-unpinned', page });
}

function shrink(draft: Draft): void {
  draft.uncutSummary ??= draft.state.summary;
  const smaller = draft.state.summary && shrinkSummary(draft.state.summary);
  if (smaller) draft.state = { ...draft.state, summary: smaller };
  renderAnew(draft);
}

/** A summary that takes more than its room is cut, in proportion, until it fits (A51). True: it was cut. */
export function cutLongSummary(draft: Draft): boolean {
  const { summary } = draft.state;
  const { summaryShare, factsShare } = draft.config.limits;
  const room = {
    all: shareOf(draft.budget, summaryShare + factsShare),
    facts: shareOf(draft.budget, factsShare),
  };
  const cut = summary && cutSummary(summary, room);
  if (cut) draft.state = { ...draft.state, summary: cut };
  return cut !== undefined;
}
