/**
 * Stubs: an item too large for the queue is shown by its start, its end, its size and the handle under
 * which the original can be read. The same original, level and size always give the same stub, so only
 * level and size are stored.
 */
import type { Message, Part, Seq } from '@pagefault/contracts';
import type { ResidentMessage, Stub } from './state.js';
import { codePoints, groupDigits, lastCodePoints, sliceCodePoints } from './text.js';

export function handleOf(seq: Seq): string {
  return `m${seq}`;
}

export function stubMessage(original: Message, seq: Seq, stub: Stub): Message {
  const parts = original.parts.flatMap((part) => stubPart(part, seq, stub));
  return { ...original, parts };
}

function stubPart(part: Part, seq: Seq, stub: Stub): Part[] {
  switch (part.type) {
    case 'text':
    case 'result':
      return [{ ...part, text: stubText(part.text, seq, stub) }];
    case 'call':
      return [{ ...part, arguments: stubArguments(part.arguments, seq, stub) }];
    case 'image':
      return [{ type: 'text', text: imageNotice(seq) }];
    case 'thinking':
      // Signed reasoning is all or nothing.
      return stub.level === 2 ? [] : [part];
  }
}

/** Level 2 says nothing of the size, so that it is the same whether made from the original or from its level 1 stub. */
function stubText(text: string, seq: Seq, stub: Stub): string {
  const size = codePoints(text);
  const bare = bareNotice(seq);
  if (stub.level === 2) return size <= bare.length ? text : bare;
  const notice = sizeNotice(seq, groupDigits(size));
  if (size <= stub.shown + notice.length) return text;
  const tail = Math.floor(stub.shown / 3);
  const head = sliceCodePoints(text, 0, stub.shown - tail);
  return `${head}\n${notice}\n${lastCodePoints(text, tail)}`;
}

/** The arguments stay a JSON object: a provider refuses anything else. */
function stubArguments(json: string, seq: Seq, stub: Stub): string {
  const shown = stub.level === 2 ? 0 : stub.shown;
  const replacement = JSON.stringify({ paged_out: handleOf(seq), start: sliceCodePoints(json, 0, shown) });
  return replacement.length < json.length ? replacement : json;
}

function imageNotice(seq: Seq): string {
  return `[image paged out; handle ${handleOf(seq)}]`;
}

function bareNotice(seq: Seq): string {
  return `[paged out; handle ${handleOf(seq)}; read it with page_in]`;
}

function sizeNotice(seq: Seq, size: string): string {
  return `[paged out: ${size} characters, handle ${handleOf(seq)}; read them with page_in]`;
}

/**
 * What a message shows of its own words: without what a stub says about itself, and without the words that it cuts, half
 * of a number being no number. Whole messages are given back as they are.
 */
export function ownWords({ message, seq, stub }: ResidentMessage): Message {
  return stub ? { ...message, parts: message.parts.map((part) => ownPart(part, seq)) } : message;
}

function ownPart(part: Part, seq: Seq): Part {
  if (part.type === 'text' || part.type === 'result') return { ...part, text: ownText(part.text, seq) };
  return part.type === 'call' ? { ...part, arguments: ownArguments(part.arguments, seq) } : part;
}

const SIZE = '<size>';

function ownText(text: string, seq: Seq): string {
  if (text === bareNotice(seq) || text === imageNotice(seq)) return '';
  const [before = '', after = ''] = sizeNotice(seq, SIZE).split(SIZE);
  const from = text.indexOf(`\n${before}`);
  const to = text.indexOf(`${after}\n`, from);
  if (from < 0 || to < 0) return text;
  const head = text.slice(0, from).replace(CUT_END, '');
  return `${head}\n${text.slice(to + after.length + 1).replace(CUT_START, '')}`;
}

function ownArguments(json: string, seq: Seq): string {
  // Written by `stubArguments`, or left as it was: then it need not even be JSON.
  const before = `{"paged_out":"${handleOf(seq)}","start":`;
  if (!json.startsWith(before)) return json;
  const { start } = JSON.parse(json) as { readonly start: string };
  return JSON.stringify({ start: start.replace(CUT_END, '') });
}

// Bounded for scripts without spaces, whose whole text would be one word.
const CUT_END = /\S{0,80}$/u;
const CUT_START = /^\S{0,80}/u;
