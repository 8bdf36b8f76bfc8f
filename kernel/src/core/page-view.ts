/**
 * What a policy is told of a page: its size, and what can be said of its content without a model. Pure in the page and
 * those before it, so that a rebuild and a replay tell the same; bounded, so that a birth is cheap whatever the page holds.
 */
import type { PageView } from '@pagefault/contracts';
import { VIEW } from '../limits.js';
import { messageText, notedText } from './documents.js';
import { countFacts } from './facts.js';
import { isBlockNote } from './layout/rendering.js';
import { pageTokens } from './pressure.js';
import { analyse } from './search/index.js';
import type { ProcessState, ResidentPage } from './state.js';
import { ownWords } from './stub.js';
import { supersededBy } from './superseded.js';

/** A page of the queue `pages`. */
export function viewOf(page: ResidentPage, pages: readonly ResidentPage[]): PageView {
  const supersedes = supersededBy(page, pages);
  return {
    id: page.id,
    kind: page.kind,
    tokens: pageTokens(page),
    firstSeq: page.messages[0]?.seq ?? 0,
    lastSeq: page.messages.at(-1)?.seq ?? 0,
    facts: factsOf(page),
    terms: termsOf(page),
    ...(hasFailed(page) && { failed: true }),
    ...(supersedes.length > 0 && { supersedes }),
  };
}

/** Of all sealed pages, as if each were born now. Notes about blocks come and go with a rendering: no policy hears of them. */
export function residentViews({ pages }: Pick<ProcessState, 'pages'>): PageView[] {
  return pages.filter((page) => page.sealed && !isBlockNote(page)).map((page) => viewOf(page, pages));
}

/** What is talked about: the terms of the newest user message. */
export function focusOf({ pages }: ProcessState): readonly number[] {
  const newest = pages.findLast(({ kind }) => kind === 'user');
  return newest ? termsOf(newest) : [];
}

/** In what was said in it: what memory put back holds the values of another page. */
function factsOf({ messages }: ResidentPage): number {
  return factsIn(messages.map((one) => notedText(ownWords(one))));
}

/** Of what it shows, but for what the kernel says in its own name or about a stub. */
function termsOf({ messages }: ResidentPage): readonly number[] {
  const said = messages.filter(({ message }) => !message.notice);
  return termsIn(said.map((one) => messageText(ownWords(one))));
}

/** What a policy would be told of a page that holds these texts. */
export function hintsOf(texts: readonly string[]): Required<Pick<PageView, 'facts' | 'terms'>> {
  return { facts: factsIn(texts), terms: termsIn(texts) };
}

function factsIn(texts: readonly string[]): number {
  return countFacts(beginning(texts), VIEW.facts);
}

function termsIn(texts: readonly string[]): readonly number[] {
  const prints = new Set(analyse(beginning(texts)).map(termPrint));
  return [...prints].toSorted((a, b) => a - b).slice(0, VIEW.terms);
}

function beginning(texts: readonly string[]): string {
  return texts.join('\n').slice(0, VIEW.characters);
}

/** FNV-1a, folded to 24 bits: a hundred thousand terms have a few hundred doubles among them. */
function termPrint(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}

function hasFailed({ messages }: ResidentPage): boolean {
  return messages.some(({ message }) => message.parts.some((part) => part.type === 'result' && part.isError));
}
