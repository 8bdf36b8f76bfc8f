import type { Lineage, Message, RecallDriver } from '@pagefault/contracts';
import { messageText } from '../core/documents.js';
import type { HandleText } from '../syscall/syscall.js';
import { readPassages } from './storage.js';

/** The original behind `m<seq>` or `p<id>`, of this lineage and no other. */
export async function readHandle(
  recall: RecallDriver,
  lineage: Lineage,
  handle: string,
): Promise<HandleText | undefined> {
  const seq = /^m([1-9]\d{0,14})$/.exec(handle)?.[1];
  if (seq !== undefined) return readMessage(recall, lineage, Number(seq));
  const id = /^p(.{1,512})$/s.exec(handle)?.[1];
  if (id === undefined) return undefined;
  const text = (await readPassages(recall, lineage, [id])).get(id)?.text;
  return text === undefined ? undefined : { handle, text };
}

async function readMessage(
  recall: RecallDriver,
  lineage: Lineage,
  seq: number,
): Promise<HandleText | undefined> {
  const { items } = await recall.read(lineage, { seqs: [seq], limit: 1 });
  const entry = items[0];
  if (!entry) return undefined;
  const origin = originOf(entry.message);
  // Its own handle is of an earlier message, so this ends.
  if (origin !== undefined && origin !== `m${seq}`) return readHandle(recall, lineage, origin);
  return { handle: `m${seq}`, text: messageText(entry.message), page: entry.page };
}

/** What `page_in` had put back is read where it is from, not in the copy. */
function originOf(message: Message): string | undefined {
  const [part, ...others] = message.parts;
  if (part?.type !== 'result' || part.name !== 'page_in' || others.length > 0) return undefined;
  return part.recalled?.[0]?.handle;
}
