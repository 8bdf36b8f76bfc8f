import type { OutboxEntry } from '../../core/journal.js';
import type { Place, Plan } from './job.js';
import type { PlanContext } from './plan-context.js';
import { type FoundPassage, ownDocuments } from './walk.js';

/** The documents of what goes, by which its vectors are known; and those whose vectors hold a part of what goes. */
export async function indexedOf(
  context: PlanContext,
  places: readonly Place[],
  passages: readonly FoundPassage[],
): Promise<Required<Pick<Plan, 'indexed' | 'followers'>>> {
  const gone = new Set(places.map(({ seq }) => seq));
  const last = places.at(-1)?.seq ?? 0;
  const indexed: OutboxEntry[] = passages.map(({ id, ordinal, seq, at }) => ({
    collection: 'passages',
    ordinal,
    ref: id,
    seq,
    at,
  }));
  const followers: OutboxEntry[] = [];
  if (gone.size === 0) return { indexed, followers };
  let isAfter = false;
  for await (const { ordinal, ref, seq, at } of ownDocuments(context, 'messages')) {
    const entry: OutboxEntry = { collection: 'messages', ordinal, ref, seq, at };
    if (gone.has(seq)) indexed.push(entry);
    else if (isAfter) followers.push(entry);
    isAfter = gone.has(seq);
    // Ordinals rise with positions.
    if (seq > last) break;
  }
  return { indexed, followers };
}
