import type { Found, Hit } from './hits.js';
import { cut, oneLine, overlap, sentences } from './text.js';

/** More quotes than this are a list and no answer. */
const MOST_HITS = 3;
/** Code points of one quote. */
const QUOTE_LIMIT = 300;

/** The best hits of several searches: those that share words with the question first, in search order. */
export function bestHits(words: readonly string[], found: readonly Found[]): readonly Hit[] {
  const hits = found.flatMap((one) =>
    one.hits.map((hit, rank) => ({ hit, rank, shared: overlap(words, hit.text) })),
  );
  const worth = hits.filter(({ hit }) => !isEcho(hit) && oneLine(hit.text) !== '');
  const close = worth.filter(({ shared }) => shared > 0);
  const ranked = (close.length > 0 ? close : worth).toSorted(
    (a, b) => b.shared - a.shared || a.rank - b.rank,
  );
  const unique = ranked.filter(
    ({ hit }, at) => ranked.findIndex((other) => oneLine(other.hit.text) === oneLine(hit.text)) === at,
  );
  return unique.slice(0, MOST_HITS).map(({ hit }) => hit);
}

/** An earlier question, or reflex's own words: they lead to what was said, but are not it. */
function isEcho(hit: Hit): boolean {
  const isQuestion = hit.role === 'user' && /\?\s*$/.test(hit.text);
  return isQuestion || (hit.role === 'assistant' && isNobody(hit.speaker, 'assistant'));
}

/** What was said, by whom, when, and where to find it. */
export function quote(hit: Hit, words: readonly string[], userName: string | undefined): string {
  const text = `"${excerpt(hit.text, words)}"`;
  if (hit.role === '' || hit.source !== '') {
    const source = hit.source === '' ? 'archival storage' : hit.source;
    return `From ${source}: ${text} (${hit.handle})`;
  }
  const day = dayOf(hit.at);
  const isUser = hit.role === 'user' && (isNobody(hit.speaker, 'user') || hit.speaker === userName);
  const who = isUser ? 'You told me' : `${hit.speaker || hit.role} said`;
  return `${who}${day === undefined ? '' : ` on ${day}`}: ${text} (${hit.handle})`;
}

function isNobody(speaker: string, role: string): boolean {
  return speaker === '' || speaker.toLowerCase() === role;
}

/** From the sentence on that has most of the words. */
function excerpt(text: string, words: readonly string[]): string {
  if (oneLine(text).length <= QUOTE_LIMIT) return oneLine(text);
  const all = sentences(text);
  const shared = all.map((sentence) => overlap(words, sentence));
  const start = Math.max(0, shared.indexOf(Math.max(...shared)));
  return `${start > 0 ? '… ' : ''}${cut(all.slice(start).join(' '), QUOTE_LIMIT)}`;
}

/** `29 November 2026`, in UTC. */
function dayOf(iso: string): string | undefined {
  const date = new Date(iso);
  if (iso === '' || Number.isNaN(date.getTime())) return undefined;
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(date);
}
