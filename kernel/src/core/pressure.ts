/** Pressure: calibrated tokens of the next request, everything that is sent, against the budget. */
import type { CountablePiece, Tokens } from '@pagefault/contracts';
import { type MachineConfig, sameProcessor } from './config.js';
import type { PieceKey } from './events.js';
import { blocksMessage, type Layout, summaryMessage, tailMessage } from './layout/layout.js';
import { isBlockNote, renderBlocks } from './layout/rendering.js';
import { makePage, type ProcessState, type ResidentMessage, type ResidentPage } from './state.js';
import { renderSummary } from './summary.js';
import { widestTail } from './tail.js';

export interface KeyedPiece {
  readonly key: PieceKey;
  readonly piece: CountablePiece;
}

/** Tokens as counted, before calibration. Only meaningful when nothing is uncounted. */
export function countedTokens(state: ProcessState): Tokens {
  return fixedTokens(state) + sumUp(state.pages).tokens;
}

interface QueueSum {
  readonly tokens: Tokens;
  /** Pages of which something is not counted yet. */
  readonly uncounted: readonly ResidentPage[];
  readonly notes: Tokens;
}

// A memo over immutable lists, not state: within a step the same list is summed up a dozen times.
const sums = new WeakMap<readonly ResidentPage[], QueueSum>();

function sumUp(pages: readonly ResidentPage[]): QueueSum {
  const known = sums.get(pages);
  if (known) return known;
  let tokens = 0;
  let notes = 0;
  const uncounted: ResidentPage[] = [];
  for (const page of pages) {
    tokens += pageTokens(page);
    if (isBlockNote(page)) notes += pageTokens(page);
    if (page.tokens === undefined) uncounted.push(page);
  }
  const sum = { tokens, uncounted, notes };
  sums.set(pages, sum);
  return sum;
}

/** Everything but the pages. */
export function fixedTokens(state: ProcessState): Tokens {
  const { tools = 0, system = 0, blocks = 0, tail = 0 } = state.head.counts;
  return tools + system + blocks + tail + (state.summary?.tokens ?? 0);
}

/** What no reclaim can shrink: everything but pages and summary, the blocks as they are or as they would be rendered. */
export function leastTokens(state: ProcessState): Tokens {
  const { blocks = 0, blocksAnew = blocks } = state.head.counts;
  return fixedTokens(state) - (state.summary?.tokens ?? 0) - Math.max(0, blocks - blocksAnew);
}

/** Notes about blocks that others changed. */
export function noteTokens(state: ProcessState): Tokens {
  return sumUp(state.pages).notes;
}

/**
 * How many tokens more a request takes when the blocks are rendered anew and the notes about them go; negative when it
 * shrinks, and 0 when there is nothing to render.
 */
export function renderingGrowth({ rendered, blocks, pages, head }: ProcessState): Tokens {
  if (!rendered || (rendered.text === renderBlocks(blocks) && !pages.some(isBlockNote))) return 0;
  const { blocks: sent = 0, blocksAnew = 0 } = head.counts;
  return blocksAnew - sent - sumUp(pages).notes;
}

/** Of a page that is not all counted, what is known so far. */
export function pageTokens(page: ResidentPage): Tokens {
  return page.tokens ?? page.messages.reduce((sum, message) => sum + (message.tokens ?? 0), 0);
}

export function calibrated(state: ProcessState, tokens: Tokens): Tokens {
  return Math.ceil((tokens * state.head.calibration) / 1000);
}

export function pressureOf(state: ProcessState): Tokens {
  return calibrated(state, countedTokens(state));
}

/** What must be counted before anything is sent. */
export function uncounted(state: ProcessState, config: MachineConfig, layout: Layout): KeyedPiece[] {
  const { counts } = state.head;
  const pieces: KeyedPiece[] = [];
  if (counts.tools === undefined)
    pieces.push({ key: 'tools', piece: { kind: 'tools', tools: config.tools } });
  if (counts.system === undefined) {
    const text = layout.system(config.instructions, state);
    pieces.push({ key: 'system', piece: { kind: 'system', text } });
  }
  pieces.push(...uncountedBlocks(state));
  if (counts.tail === undefined) {
    pieces.push({ key: 'tail', piece: { kind: 'message', message: tailMessage(widestTail(config.zone)) } });
  }
  if (state.summary && state.summary.tokens === undefined) {
    const message = summaryMessage(renderSummary(state.summary));
    pieces.push({ key: 'summary', piece: { kind: 'message', message } });
  }
  return [...pieces, ...sumUp(state.pages).uncounted.flatMap(uncountedMessages)];
}

/** Also as they would be sent if they were rendered now: a reclaim must know what it will send. */
function uncountedBlocks({ rendered, blocks, head: { counts } }: ProcessState): KeyedPiece[] {
  if (!rendered) return [];
  const texts = [
    ...(counts.blocks === undefined ? [{ key: 'blocks', text: rendered.text }] : []),
    ...(counts.blocksAnew === undefined ? [{ key: 'blocksAnew', text: renderBlocks(blocks) }] : []),
  ];
  return texts
    .filter(({ text }) => text !== '') // Not sent.
    .map(({ key, text }) => ({ key, piece: { kind: 'message', message: blocksMessage(text) } }));
}

function uncountedMessages(page: ResidentPage): KeyedPiece[] {
  return page.messages
    .filter((message) => message.tokens === undefined)
    .map(({ seq, message }) => ({ key: `m${seq}`, piece: { kind: 'message', message } }));
}

/** Writes counts to the parts they belong to. */
export function withCounts(state: ProcessState, tokens: Readonly<Record<PieceKey, Tokens>>): ProcessState {
  const { tools, system, tail, blocks, blocksAnew, summary } = tokens;
  const fixed = {
    ...(tools !== undefined && { tools }),
    ...(system !== undefined && { system }),
    ...(tail !== undefined && { tail }),
    ...(blocks !== undefined && { blocks }),
    ...(blocksAnew !== undefined && { blocksAnew }),
  };
  const counts = { ...state.head.counts, ...fixed };
  const head = Object.keys(fixed).length > 0 ? { ...state.head, counts } : state.head;
  const pages =
    sumUp(state.pages).uncounted.length > 0
      ? state.pages.map((page) => withPageCounts(page, tokens))
      : state.pages;
  if (!state.summary || summary === undefined) return { ...state, head, pages };
  return { ...state, head, pages, summary: { ...state.summary, tokens: summary } };
}

function withPageCounts(page: ResidentPage, tokens: Readonly<Record<PieceKey, Tokens>>): ResidentPage {
  if (page.tokens !== undefined) return page;
  return makePage({ ...page, messages: page.messages.map((message) => withMessageCount(message, tokens)) });
}

function withMessageCount(
  message: ResidentMessage,
  tokens: Readonly<Record<PieceKey, Tokens>>,
): ResidentMessage {
  const counted = tokens[`m${message.seq}`];
  return message.tokens === undefined && counted !== undefined ? { ...message, tokens: counted } : message;
}

/** Forgets every count: another processor, or another program, counts differently. Calibration is one processor's. */
export function withoutCounts(state: ProcessState, countedFor: string): ProcessState {
  const pages = state.pages.map((page) =>
    makePage({ ...page, messages: page.messages.map(({ tokens: _, ...message }) => message) }),
  );
  const calibration = sameProcessor(state.head.countedFor, countedFor) ? state.head.calibration : 1000;
  const head = { ...state.head, countedFor, counts: {}, calibration };
  if (!state.summary) return { ...state, head, pages };
  const { tokens: _, ...summary } = state.summary;
  return { ...state, head, pages, summary };
}
