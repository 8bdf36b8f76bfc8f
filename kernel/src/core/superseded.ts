/**
 * Which pages a new one makes out of date: all that they hold was read again, by the same function with the same
 * arguments or from the same windows of the same documents. A hint for policies, not a truth: a function may have told
 * something else each time.
 */
import type { CallPart, PageId, Reference, ResultPart } from '@pagefault/contracts';
import { VIEW } from '../limits.js';
import { HEARTBEAT_ARGUMENT } from './dialect/memgpt.js';
import { isKernelAnswer } from './documents.js';
import type { ResidentPage } from './state.js';
import { fingerprint } from './text.js';

/** Those of the queue `pages` that came before it; the newest of them, oldest first. */
export function supersededBy(page: ResidentPage, pages: readonly ResidentPage[]): PageId[] {
  const again = readsOf(page).filter(({ failed }) => !failed);
  if (again.length === 0) return [];
  const outdated = pages.filter((older) => older.id < page.id && isOutdated(older, again));
  return outdated.slice(-VIEW.supersedes).map(({ id }) => id);
}

/** A page that did more than read (it answered, or wrote to memory) says what no later one says. */
function isOutdated(older: ResidentPage, again: readonly Read[]): boolean {
  const reads = readsOf(older);
  return reads.length > 0 && reads.every((read) => !read.writes && isReadAgain(read, again));
}

function isReadAgain({ call, windows }: Read, again: readonly Read[]): boolean {
  if (again.some((other) => other.call === call)) return true;
  const seen = again.flatMap((other) => other.windows);
  return windows.length > 0 && windows.every((window) => seen.some((other) => covers(other, window)));
}

function covers(whole: Reference, part: Reference): boolean {
  return whole.handle === part.handle && whole.from <= part.from && whole.to >= part.to;
}

interface Read {
  /** Equal for calls that ask for the same. */
  readonly call: string;
  /** The kernel answered in its own name: it said or stored something, and read nothing. */
  readonly writes: boolean;
  readonly failed: boolean;
  readonly windows: readonly Reference[];
}

// A memo over immutable pages, not state: each page that reads looks through all those before it.
const known = new WeakMap<ResidentPage, readonly Read[]>();

function readsOf(page: ResidentPage): readonly Read[] {
  const before = known.get(page);
  if (before) return before;
  const parts = page.messages.length > 1 ? page.messages.flatMap(({ message }) => message.parts) : [];
  const calls = new Map(parts.flatMap((part) => (part.type === 'call' ? [[part.callId, part]] : [])));
  const reads = parts.flatMap((part) => (part.type === 'result' ? [toRead(part, calls)] : []));
  known.set(page, reads);
  return reads;
}

function toRead(result: ResultPart, calls: ReadonlyMap<string, CallPart>): Read {
  const call = calls.get(result.callId);
  return {
    call: `${result.name} ${fingerprint(call ? question(call) : result.callId)}`,
    writes: isKernelAnswer(result),
    failed: result.isError === true,
    windows: result.recalled ?? [],
  };
}

const HEARTBEAT = new RegExp(`(?<!\\\\)"${HEARTBEAT_ARGUMENT}"\\s*:\\s*(?:true|false)\\s*,?`, 'g');

/** The arguments without the protocol's own, as text: as numbers, long ones would lose digits. */
function question(call: CallPart): string {
  return call.arguments.replace(HEARTBEAT, '').replace(/[\s,]{0,8}\}\s{0,8}$/, '}');
}
