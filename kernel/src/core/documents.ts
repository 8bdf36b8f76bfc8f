/** What of a message becomes findable by text, and under which document. */
import type { CallPart, Message, Part, SearchDocument, Seq } from '@pagefault/contracts';
import { type CollectionTotals, digestOf, documentTerms } from './search/index.js';
import type { NewPassage } from './events.js';
import type { Head } from './state.js';

/**
 * The text that is searched: what was said and what tools found. Not kernel notices; not what memory put back (A60:
 * recall must not feed on itself); not what was put into memory, which would double what it was made from and is found
 * in the blocks and the archive; and not the questions put to memory (D17: they look more like the next question than
 * the answer does).
 */
export function searchableText(message: Message): string {
  return joined(message, searchablePart);
}

/** What is searched and what was noted in memory: where exact values are. */
export function notedText(message: Message): string {
  return joined(message, (part) =>
    part.type === 'call' && MEMORY_WRITES.test(part.name)
      ? argumentText(part.arguments)
      : searchablePart(part),
  );
}

function joined(message: Message, textOf: (part: Part) => string): string {
  if (message.notice) return '';
  return message.parts
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n');
}

/** Whether a list of what happened names it: not the kernel's own words, nor text that is listed where it is from. */
export function isListed(message: Message): boolean {
  if (message.notice) return false;
  return message.parts.some(
    (part) =>
      !isKernelAnswer(part) && !(part.type === 'result' && part.recalled) && readablePart(part) !== '',
  );
}

/** All text of a message, as a person would read it: what a handle or a hit shows. */
export function messageText(message: Message): string {
  return message.parts
    .map(readablePart)
    .filter((text) => text !== '')
    .join('\n');
}

function readablePart(part: Part): string {
  if (part.type === 'text' || part.type === 'result') return part.text;
  return part.type === 'call' ? argumentText(part.arguments) : '';
}

function searchablePart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'call':
      return isKernelOrder(part) ? '' : argumentText(part.arguments);
    case 'result':
      return part.recalled || isKernelAnswer(part) ? '' : part.text;
    default:
      return '';
  }
}

const MEMORY_WRITES = /^(?:core_memory_append|core_memory_replace|archival_memory_insert)$/;
const MEMORY_READS =
  /^(?:conversation_search|conversation_search_date|archival_memory_search|page_in|read_document|pin|unpin)$/;
const TIMER_CALLS = /^(?:set_timer|cancel_timer)$/;
const KERNEL_ANSWERS =
  /^(?:send_message|core_memory_append|core_memory_replace|archival_memory_insert|pin|unpin|set_timer|cancel_timer)$/;

/** What the kernel itself says to a call: nobody said it, and nobody will ask for it. */
export function isKernelAnswer(part: Part): boolean {
  return part.type === 'result' && KERNEL_ANSWERS.test(part.name);
}

/** What is told to the kernel and to nobody else. A timer's text is a message of its own when it is due. */
function isKernelOrder({ name }: CallPart): boolean {
  return MEMORY_WRITES.test(name) || MEMORY_READS.test(name) || TIMER_CALLS.test(name);
}

function argumentText(json: string): string {
  try {
    return strings(JSON.parse(json)).join('\n');
  } catch {
    return json; // Not JSON: a stand-in or a foreign history; its text is still what was said.
  }
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** The document of a message, or undefined when nothing in it can be found. Its day is the user's, in `zone`. */
export function messageDocument(
  head: Head,
  seq: Seq,
  message: Message,
  zone?: string,
): SearchDocument | undefined {
  const text = searchableText(message);
  const { terms, length } = documentTerms(text, message.at, zone);
  if (terms.length === 0) return undefined;
  return {
    collection: 'messages',
    ordinal: head.collections.messages.documents,
    seq,
    ref: message.id,
    session: message.session ?? '',
    speaker: message.name ?? '',
    at: message.at,
    length,
    digest: digestOf(text, [message.role, message.name ?? '']),
    terms,
  };
}

/** Chunks of one source are neighbours; a passage without a source has none. */
export function passageDocument(head: Head, passage: NewPassage, at: number): SearchDocument {
  const { terms, length } = documentTerms(passage.text);
  return {
    collection: 'passages',
    ordinal: head.collections.passages.documents,
    seq: head.lastSeq,
    ref: passage.id,
    session: passage.source ?? passage.id,
    speaker: '',
    at,
    length,
    digest: digestOf(passage.text),
    terms,
  };
}

export function withDocument(head: Head, document: SearchDocument): Head {
  const totals = head.collections[document.collection];
  const grown: CollectionTotals = {
    documents: totals.documents + 1,
    length: totals.length + document.length,
  };
  return { ...head, collections: { ...head.collections, [document.collection]: grown } };
}
