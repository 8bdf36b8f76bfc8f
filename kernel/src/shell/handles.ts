import type { Pid, RecallDriver } from '@pagefault/contracts';
import { messageText } from '../core/documents.js';
import type { HandleText } from '../syscall/syscall.js';
import { lineageOf, readPassages } from './storage.js';

/** The original behind `m<seq>` or `p<id>`, of this process and no other. */
export async function readHandle(
  recall: RecallDriver,
  pid: Pid,
  handle: string,
): Promise<HandleText | undefined> {
  const seq = /^m([1-9]\d{0,14})$/.exec(handle)?.[1];
  if (seq !== undefined) return readMessage(recall, pid, Number(seq));
  const id = /^p(.{1,512})$/s.exec(handle)?.[1];
  if (id === undefined) return undefined;
  const text = (await readPassages(recall, pid, [id])).get(id)?.text;
  return text === undefined ? undefined : { text };
}

async function readMessage(recall: RecallDriver, pid: Pid, seq: number): Promise<HandleText | undefined> {
  const { items } = await recall.read(lineageOf(pid), { seqs: [seq], limit: 1 });
  const entry = items[0];
  return entry && { text: messageText(entry.message), page: entry.page };
}
