import type { IndexedDocument } from '@pagefault/contracts';

/** One result: a document, and how many say the same. */
export interface Distinct {
  readonly ordinal: number;
  readonly times: number;
}

/** What says the same is one result: it stands where the best of it ranks, and is its newest. */
export function foldSame(ranked: readonly IndexedDocument[]): readonly Distinct[] {
  const groups = new Map<string, { ordinal: number; times: number }>();
  for (const { ordinal, digest } of ranked) {
    const key = digest ?? `#${ordinal}`; // No digest has this form.
    const group = groups.get(key);
    if (!group) groups.set(key, { ordinal, times: 1 });
    else Object.assign(group, { ordinal: Math.max(group.ordinal, ordinal), times: group.times + 1 });
  }
  return [...groups.values()];
}
