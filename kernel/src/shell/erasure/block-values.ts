/** Earlier values of blocks that go: those that quote, and all of a block when that is asked for. */
import { PagefaultError } from '@pagefault/contracts';
import { BLOCK_HISTORY_SPACE, historyKey, type StoredVersion } from '../../core/block-history.js';
import type { ErasedVersion } from '../../core/erased.js';
import type { QuoteFinder } from '../../core/quotes.js';
import type { Block } from '../../core/state.js';
import type { PlanContext } from './plan-context.js';

/** Never the value that a block has now: that is its user's to edit. Errors: `E_NOT_FOUND`; `E_CONFLICT` for a shared block. */
export async function valuesThatGo(
  { recall, record, state }: PlanContext,
  quotes: QuoteFinder,
  whole: string | undefined,
): Promise<readonly ErasedVersion[]> {
  if (whole !== undefined) checkBlock(state.blocks, whole);
  const rows = await recall.load(record.pid, [BLOCK_HISTORY_SPACE]);
  const values = new Map(rows.map(({ key, value }) => [key, (value as unknown as StoredVersion).value]));
  return state.blocks.flatMap(({ name, history }) => {
    const past = history?.versions.filter((version) => version !== history.shown) ?? [];
    const key = history?.key ?? '';
    const goes = (version: number) =>
      name === whole || quotes.isQuotedIn(values.get(historyKey(key, version).key) ?? '');
    return past.filter(goes).map((version) => ({ key, version }));
  });
}

function checkBlock(blocks: readonly Block[], name: string): void {
  const known = blocks.find((block) => block.name === name);
  if (known?.shared)
    throw new PagefaultError('E_CONFLICT', `block "${name}" is shared: its history is not this process's`, {
      hint: 'erase the shared block, or edit it',
    });
  if (known) return;
  const names = blocks.map((block) => block.name).join(', ');
  throw new PagefaultError('E_NOT_FOUND', `there is no block "${name}"`, {
    hint: `there are: ${names || 'none'}`,
  });
}
