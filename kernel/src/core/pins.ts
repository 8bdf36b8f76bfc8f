/**
 * Pins: pages that stay in the queue whatever the policy says. A pinned page is never a victim, and a stub only when
 * nothing else is left; when even that does not help, the oldest pins are dropped, with a notice. All pins together
 * take at most their share of the budget, so that they cannot starve the conversation.
 */
import type { ErrorCode, PageId, Tokens } from '@pagefault/contracts';
import { type Budget, shareOf } from './budget.js';
import type { MachineConfig } from './config.js';
import type { PinChange } from './events.js';
import { isBlockNote } from './layout/rendering.js';
import { calibrated, pageTokens } from './pressure.js';
import type { Pins, ProcessState, ResidentMessage, ResidentPage } from './state.js';
import { handleOf } from './stub.js';
import { groupDigits } from './text.js';

export type PinResult =
  | { readonly ok: true; readonly pins: Pins; readonly page: PageId; readonly text: string }
  | { readonly ok: false; readonly code: ErrorCode; readonly text: string };

/** One function for the model and for users, so that no path can pass the limit. */
export function applyPin(
  state: ProcessState,
  config: MachineConfig,
  budget: Budget,
  { kind, handle }: PinChange,
): PinResult {
  return kind === 'pin' ? pin(state, config, budget, handle) : unpin(state, budget, handle);
}

function pin(state: ProcessState, config: MachineConfig, budget: Budget, handle: string): PinResult {
  const page = pageShowing(state.pages, handle);
  if (!page) return refuse('E_NOT_FOUND', notShown(handle));
  if (!page.sealed)
    return refuse('E_INVALID', `Refused: ${handle} is being written now; pin it in the next step.`);
  if (isBlockNote(page))
    return refuse('E_INVALID', `Refused: ${handle} tells of a block, and blocks are always in view.`);
  const others = pinnedPages(state).filter(({ id }) => id !== page.id);
  const [used, own, most] = [sum(state, others), sum(state, [page]), pinLimit(config, budget)];
  if (used + own > most)
    return refuse('E_PIN_LIMIT', tooMuch(handle, own, others.map(nameOfPage), used, most, budget));
  const text = `Pinned ${handle}: pins take ${groupDigits(used + own)} of ${groupDigits(most)} tokens.`;
  return { ok: true, pins: pinsOf([...others.map(({ id }) => id), page.id], budget), page: page.id, text };
}

function unpin(state: ProcessState, budget: Budget, handle: string): PinResult {
  const pinned = pinnedPages(state);
  const page = pageShowing(pinned, handle);
  if (!page) {
    const names = pinned.map(nameOfPage).join(', ') || 'nothing';
    return refuse('E_NOT_FOUND', `${shown(handle)} is not pinned. Pinned: ${names}.`);
  }
  const rest = pinned.flatMap(({ id }) => (id === page.id ? [] : [id]));
  return { ok: true, pins: pinsOf(rest, budget), page: page.id, text: `Unpinned ${handle}.` };
}

function refuse(code: ErrorCode, text: string): PinResult {
  return { ok: false, code, text };
}

function notShown(handle: string): string {
  return (
    `${shown(handle)} is not in the queue, so it cannot be pinned. ` +
    'Read it with page_in first, then pin it: that keeps what page_in showed.'
  );
}

function tooMuch(
  handle: string,
  own: Tokens,
  pinned: readonly string[],
  used: Tokens,
  most: Tokens,
  budget: Budget,
): string {
  const taken = pinned.length === 0 ? 'nothing is pinned' : `${pinned.join(', ')} take ${groupDigits(used)}`;
  return (
    `Refused: the page that shows ${handle} has ${groupDigits(own)} tokens and ${taken}; ` +
    `pins may take ${groupDigits(most)} of the ${groupDigits(budget.tokens)} tokens of the budget. ` +
    (pinned.length === 0 ? 'Save what matters of it instead.' : 'Unpin another one first.')
  );
}

/** A handle is the model's text, of any length. */
function shown(handle: string): string {
  return `"${handle.slice(0, 80).toWellFormed()}"`;
}

/** Calibrated tokens that all pins together may take. */
export function pinLimit(config: MachineConfig, budget: Budget): Tokens {
  return shareOf(budget, config.limits.pinShare);
}

/** In the order in which they were pinned. */
export function pinnedPages(state: ProcessState): ResidentPage[] {
  const pins = state.head.pins?.pages ?? [];
  if (pins.length === 0) return [];
  const byId = new Map(state.pages.map((page) => [page.id, page]));
  return pins.flatMap((id) => byId.get(id) ?? []);
}

export function isPinned({ head }: ProcessState, page: PageId): boolean {
  return head.pins?.pages.includes(page) ?? false;
}

/** The oldest pins that must go so that the rest keeps within its limit; empty while all may stay. */
export function pinsOverLimit(state: ProcessState, config: MachineConfig, budget: Budget): readonly PageId[] {
  const pinned = pinnedPages(state);
  const most = pinLimit(config, budget);
  let dropped = 0;
  while (dropped < pinned.length && sum(state, pinned.slice(dropped)) > most) dropped++;
  return pinned.slice(0, dropped).map(({ id }) => id);
}

export function withoutPins(state: ProcessState, dropped: readonly PageId[], budget: Budget): ProcessState {
  const rest = (state.head.pins?.pages ?? []).filter((id) => !dropped.includes(id));
  return withPins(state, pinsOf(rest, budget));
}

export function withPins(state: ProcessState, pins: Pins): ProcessState {
  return { ...state, head: { ...state.head, pins } };
}

function pinsOf(pages: readonly PageId[], { tokens }: Budget): Pins {
  return { pages, budget: tokens };
}

function sum(state: ProcessState, pages: readonly ResidentPage[]): Tokens {
  return calibrated(
    state,
    pages.reduce((total, page) => total + pageTokens(page), 0),
  );
}

/**
 * The page that shows what is behind a handle: the message itself, else the newest window that was read of it. A
 * window is preferred to a stub, which shows less.
 */
function pageShowing(pages: readonly ResidentPage[], handle: string): ResidentPage | undefined {
  const itself = pages.find(({ messages }) => messages.some(({ seq }) => handleOf(seq) === handle));
  const whole = itself?.messages.every(({ seq, stub }) => handleOf(seq) !== handle || stub === undefined);
  if (whole) return itself;
  return pages.findLast(({ messages }) => messages.some((one) => windowHandle(one) === handle)) ?? itself;
}

/** The handle of the text that a message shows a window of. */
function windowHandle({ message }: ResidentMessage): string | undefined {
  const [part] = message.parts;
  const isWindow = part?.type === 'result' && (part.name === 'page_in' || part.name === 'read_document');
  return isWindow ? part.recalled?.[0]?.handle : undefined;
}

/** A handle that `unpin` takes for this page: of the window that it shows, else of its first message. */
export function nameOfPage({ messages }: ResidentPage): string {
  const [window] = messages.flatMap((message) => windowHandle(message) ?? []);
  return window ?? handleOf(messages[0]?.seq ?? 0);
}
