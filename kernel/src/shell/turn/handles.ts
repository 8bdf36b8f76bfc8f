import type { Lineage, Message, PageId, RecallDriver } from '@pagefault/contracts';
import { messageText } from '../../core/documents.js';
import { codePoints, sliceCodePoints } from '../../core/text.js';
import type { TextSource } from '../../syscall/syscall.js';
import { readDocument } from '../memory/documents.js';
import { readPassages } from '../storage.js';

/** The original behind `m<seq>`, `p<id>` or `d<id>`, of this lineage and no other. */
export async function readHandle(
  recall: RecallDriver,
  lineage: Lineage,
  handle: string,
): Promise<TextSource | undefined> {
  const seq = /^m([1-9]\d{0,14})$/.exec(handle)?.[1];
  if (seq !== undefined) return readMessage(recall, lineage, Number(seq));
  const id = /^p(.{1,512})$/s.exec(handle)?.[1];
  if (id === undefined) return readDocument(recall, lineage.at(-1)?.pid ?? '', handle);
  const text = (await readPassages(recall, lineage, [id])).get(id)?.text;
  return text === undefined ? undefined : sourceOf(handle, text);
}

async function readMessage(
  recall: RecallDriver,
  lineage: Lineage,
  seq: number,
): Promise<TextSource | undefined> {
  const { items } = await recall.read(lineage, { seqs: [seq], limit: 1 });
  const entry = items[0];
  if (!entry) return undefined;
  const origin = originOf(entry.message);
  // Its own handle is of an earlier message, so this ends. A document that is unmapped leaves the copy.
  const source =
    origin === undefined || origin === `m${seq}` ? undefined : await readHandle(recall, lineage, origin);
  return source ?? sourceOf(`m${seq}`, messageText(entry.message), entry.page);
}

/** The ids of the messages behind handles such as `m12`, in their order; others are left out. */
export async function messageIds(
  recall: RecallDriver,
  lineage: Lineage,
  handles: readonly string[],
): Promise<readonly string[]> {
  const seqs = handles.flatMap((handle) => (/^m[1-9]\d*$/.test(handle) ? [Number(handle.slice(1))] : []));
  if (seqs.length === 0) return [];
  const { items } = await recall.read(lineage, { seqs, limit: seqs.length });
  const bySeq = new Map(items.map(({ seq, message }) => [seq, message.id]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

/** A text that is held as a whole. */
function sourceOf(handle: string, text: string, page?: PageId): TextSource {
  return {
    handle,
    size: codePoints(text),
    ...(page !== undefined && { page }),
    read: async (from, to) => sliceCodePoints(text, from, to),
  };
}

const WINDOW_READERS: ReadonlySet<string> = new Set(['page_in', 'read_document']);

/** What memory had put back is read where it is from, not in the copy. */
function originOf(message: Message): string | undefined {
  const [part, ...others] = message.parts;
  if (part?.type !== 'result' || !WINDOW_READERS.has(part.name) || others.length > 0) return undefined;
  return part.recalled?.[0]?.handle;
}
