/** A target that names what is not there is a mistake, and not a success. */
import { PagefaultError } from '@pagefault/contracts';
import { documentRows } from '../memory/document-rows.js';
import type { HeldByAncestor } from './job.js';
import type { PlanContext } from './plan-context.js';
import type { CheckedTarget } from './target.js';
import { ownPassages } from './walk.js';

/** The most names that an error lists. */
const MOST_NAMED = 10;

/** `found`: ids of messages or passages. Errors: `E_CONFLICT` for what an ancestor holds, `E_NOT_FOUND`. */
export async function checkFound(
  context: PlanContext,
  target: CheckedTarget,
  found: ReadonlySet<string>,
  atAncestors: readonly HeldByAncestor[],
): Promise<void> {
  const named = target.messages.size > 0 ? target.messages : target.passages;
  const missing = [...named].filter((id) => !found.has(id));
  const isNothing = named.size === 0 && found.size === 0;
  if (missing.length === 0 && !isNothing) return;
  const [ancestor] = atAncestors;
  if (ancestor) {
    // Of a name there may be some here and some there: those here go, and the report tells of the others.
    throw new PagefaultError(
      'E_CONFLICT',
      `${describe(target, missing)} is in the log of ancestor ${ancestor.pid}`,
      {
        hint: 'erase it there: its forks follow',
      },
    );
  }
  throw new PagefaultError('E_NOT_FOUND', `there is no ${describe(target, missing)}`, {
    hint: await known(context, target),
  });
}

function describe({ messages, speaker, source }: CheckedTarget, missing: readonly string[]): string {
  if (speaker !== undefined) return `message of "${speaker}"`;
  if (source !== undefined) return `passage or document of the source "${source}"`;
  return `${messages.size > 0 ? 'message' : 'passage'} ${listed(missing)}`;
}

async function known(context: PlanContext, { speaker, source }: CheckedTarget): Promise<string> {
  if (speaker !== undefined) return `speakers: ${listed(context.state.head.speakers) || 'none'}`;
  if (source === undefined) return 'nothing was erased; it may have been before';
  const sources = new Set<string>();
  for await (const passage of ownPassages(context))
    if (passage.source !== undefined) sources.add(passage.source);
  for (const { name } of await documentRows(context.recall, context.record.pid)) sources.add(name);
  return `sources: ${listed([...sources]) || 'none'}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${name.slice(0, 80)}"`);
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
