/**
 * Fork: a new process that reads its history from its parent's log, up to where the parent stands now. Only what is in
 * main context is copied, so it takes the same time however long the history is.
 */
import type { Lineage, Pid } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { withoutHistory } from '../../core/block-history.js';
import { NO_COUNTERS, type ProcessState } from '../../core/state.js';
import { checkProcessName } from '../../core/process-name.js';
import type { ActiveProcess } from './active-process.js';
import { attachNew } from './attach.js';
import { inheritedDocuments } from '../memory/documents.js';
import type { Environment } from '../environment.js';
import type { Runner } from '../runner.js';
import type { ProcessTable } from './process-table.js';
import { CHILD_SPACE, lineageOf, type ProcessRecord } from '../storage.js';

export interface ForkOptions {
  /** Default: the name of the parent. */
  readonly name?: string;
}

/** Errors: `E_INVALID` for a name that is none, and when the line of ancestors would be longer than `lineageDepth`. */
export async function forkProcess(
  environment: Environment,
  table: ProcessTable,
  parent: ProcessRecord,
  { name }: ForkOptions,
): Promise<ProcessRecord> {
  const { services, limits } = environment;
  const { pid } = parent;
  if (lineageOf(parent).length > limits.lineageDepth) throw tooDeep(parent, limits.lineageDepth);
  return table.workOn(parent, (active) =>
    withImage(active, async (state, snapshot, runner) => {
      const child: ProcessRecord = {
        ...parent,
        pid: services.mintId(),
        name: name === undefined ? parent.name : checkProcessName(name),
        createdAt: services.clock.now(),
        ancestors: [...(parent.ancestors ?? []), cutOf(pid, state)],
      };
      // The parent's row first: a child that the parent does not know of could lose its history unseen.
      await services.recall.commit({ pid, puts: [{ space: CHILD_SPACE, key: child.pid, value: {} }] });
      const image = imageFor(child.pid, state);
      const inherited = { snapshot, puts: await inheritedDocuments(runner, services.recall) };
      await table.workOn(child, (its) => its.begin(attachNew(environment, child, image, inherited)));
      return child;
    }),
  );
}

/**
 * At a sealed boundary: between two turns, when all is committed. Nothing else is begun before the child is stored: what
 * is erased of its parent meanwhile would come back with the image.
 */
async function withImage<T>(
  active: ActiveProcess,
  work: (state: ProcessState, snapshot: Uint8Array | undefined, runner: Runner) => Promise<T>,
): Promise<T> {
  const runner = await active.runner();
  return runner.exclusively(async () => work(runner.state, await active.snapshot(), runner));
}

function cutOf(pid: Pid, { head }: ProcessState): Lineage[number] {
  const { messages, passages } = head.collections;
  return {
    pid,
    upTo: head.lastSeq,
    documents: { messages: messages.documents, passages: passages.documents },
  };
}

function imageFor(pid: Pid, { turn: _, ...state }: ProcessState): ProcessState {
  const { bills: __, ...head } = state.head;
  // The rows of the blocks' histories are the parent's; the child's begin with what it starts from.
  const blocks = withoutHistory(state.blocks);
  return { ...state, blocks, head: { ...head, pid, counters: NO_COUNTERS } };
}

function tooDeep({ pid, ancestors = [] }: ProcessRecord, limit: number): PagefaultError {
  return new PagefaultError(
    'E_INVALID',
    `process ${pid} has ${ancestors.length} ancestors; a fork of it would pass the limit of ${limit}`,
    { hint: 'fork one of its ancestors, or raise limits.lineageDepth' },
  );
}
