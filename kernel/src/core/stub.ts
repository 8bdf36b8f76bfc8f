/**
 * Stubs: an item too large for the queue is shown by its start, its end, its size and the handle under
 * which the original can be read. The same original, level and size always give the same stub, so only
 * level and size are stored.
 */
import type { Message, Part, Seq } from '@pagefault/contracts';
import type { Stub } from './state.js';
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
      return [{ type: 'text', text: `[image paged out; handle ${handleOf(seq)}]` }];
    case 'thinking':
      // Signed reasoning is all or nothing.
      return stub.level === 2 ? [] : [part];
  }
}

/** Level 2 says nothing of the size, so that it is the same whether made from the original or from its level 1 stub. */
function stubText(text: string, seq: Seq, stub: Stub): string {
  const size = codePoints(text);
  const bare = `[paged out; handle ${handleOf(seq)}; read it with page_in]`;
  if (stub.level === 2) return size <= bare.length ? text : bare;
  const notice = `[paged out: ${groupDigits(size)} characters, handle ${handleOf(seq)}; read them with page_in]`;
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
