/** What of a target is in the log of an ancestor, and so is not the process's own to erase. */
import type { Lineage, LineagePart } from '@pagefault/contracts';
import { entriesOf, passagesIn } from './walk.js';
import { documentsAtAncestors } from './documents-meant.js';
import type { HeldByAncestor } from './job.js';
import type { PlanContext } from './plan-context.js';
import { isMeant, isPassageMeant, namesMessages, type CheckedTarget } from './target.js';

export async function heldByAncestors(
  context: PlanContext,
  target: CheckedTarget,
): Promise<readonly HeldByAncestor[]> {
  const { recall, record } = context;
  const held: HeldByAncestor[] = [];
  for (const part of record.ancestors ?? []) {
    const count = namesMessages(target)
      ? await countMessages(recall, [part], target)
      : await countPassages(recall, part, target);
    if (count > 0) held.push({ pid: part.pid, count });
  }
  return [...held, ...(await documentsAtAncestors(context, target))];
}

async function countMessages(
  recall: PlanContext['recall'],
  lineage: Lineage,
  target: CheckedTarget,
): Promise<number> {
  let count = 0;
  for await (const { message } of entriesOf(recall, lineage)) if (isMeant(target, message)) count++;
  return count;
}

async function countPassages(
  recall: PlanContext['recall'],
  part: LineagePart,
  target: CheckedTarget,
): Promise<number> {
  let count = 0;
  const end = part.documents?.passages ?? 0;
  for await (const passage of passagesIn(recall, [part], 0, end))
    if (isPassageMeant(target, passage)) count++;
  return count;
}
