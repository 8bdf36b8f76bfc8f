/**
 * Shared blocks during a turn. It begins with what others made of them. When a call of the model edits one, the owner's
 * commit comes first, the process's own second; a kill between them runs the call again, and its mark tells that the edit
 * was made.
 */
import type { Instant, RecallDriver } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { Clock } from '../../clock.js';
import type { BlockEdit } from '../../core/block-edit.js';
import type { MachineConfig } from '../../core/config.js';
import { toldToModel } from '../../core/edit-texts.js';
import type { CallOutcome, Event } from '../../core/events.js';
import { sharedIds, versionRead, withViews } from '../../core/shared-view.js';
import type { Block, ProcessState, SharedLink } from '../../core/state.js';
import { editShared, goneRefusal, readViews } from './shared-store.js';

/** What comes before a turn's first event; undefined, and without a read, for a process that has no shared block. */
export async function refreshedBefore(
  event: Event,
  recall: RecallDriver,
  blocks: readonly Block[],
  clock: Clock,
): Promise<Event | undefined> {
  const ids = sharedIds(blocks);
  if (event.type !== 'interrupt' || !event.interrupt.respond || ids.length === 0) return undefined;
  const views = await readViews(recall, ids);
  if (withViews(blocks, views) === blocks) return undefined;
  return { type: 'refreshed', at: clock.now(), ...views };
}

export interface EditingCall {
  readonly callId: string;
  readonly at: Instant;
}

/** The outcome as the core shall take it. Errors of the store are not the model's: the call runs again. */
export async function settleShared(
  recall: RecallDriver,
  { pid, limits }: Pick<MachineConfig, 'pid' | 'limits'>,
  state: ProcessState,
  { callId, at }: EditingCall,
  outcome: CallOutcome,
): Promise<CallOutcome> {
  const { edit, ...rest } = outcome;
  const block = edit && state.blocks.find(({ name }) => name === edit.name);
  // What is read-only to the model the core refuses by itself.
  if (!edit || !block?.shared || block.readOnly) return outcome;
  const page = state.head.lastPage;
  try {
    const { result, view } = await editShared(recall, block.shared.id, {
      name: block.name,
      context: { by: pid, at, limits },
      mark: { pid, edit: `${page}/${callId}` },
      make: (): BlockEdit => ({ ...edit, expect: versionRead(block, page) }),
    });
    const views = { views: [view], gone: [] };
    return { ...rest, text: toldToModel(result), views, ...(!result.ok && { isError: true }) };
  } catch (error) {
    if (hasCode(error, 'E_NOT_FOUND')) return outcomeOfGone(rest, block, block.shared);
    throw error;
  }
}

function outcomeOfGone(rest: CallOutcome, { name }: Block, { id }: SharedLink): CallOutcome {
  return { ...rest, text: toldToModel(goneRefusal(name)), isError: true, views: { views: [], gone: [id] } };
}
