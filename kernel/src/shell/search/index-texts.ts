/** What is embedded of a message or a passage. */
import type { Lineage, Message, RecallDriver, Seq } from '@pagefault/contracts';
import { searchableText } from '../../core/documents.js';
import { readPassages } from '../storage.js';

/** By position. */
export async function messageTexts(
  recall: RecallDriver,
  lineage: Lineage,
  seqs: readonly Seq[],
): Promise<ReadonlyMap<Seq, string>> {
  if (seqs.length === 0) return new Map();
  const { items } = await recall.read(lineage, { seqs, limit: seqs.length });
  return new Map(items.map(({ seq, message }) => [seq, spokenText(message)]));
}

/** By id. */
export async function passageTexts(
  recall: RecallDriver,
  lineage: Lineage,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const passages = await readPassages(recall, lineage, ids);
  return new Map([...passages].map(([id, { text }]) => [id, text]));
}

/** Who says it is part of what it means: without the name the encoder finds half as much. */
function spokenText(message: Message): string {
  const text = searchableText(message);
  return message.name === undefined || text === '' ? text : `${message.name}: ${text}`;
}
