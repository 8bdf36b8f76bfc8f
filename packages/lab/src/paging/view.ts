import type { PageId, PageKind, PageView } from '@pagefault/contracts';
import { PAGE_KINDS } from '../trace/format.js';
import type { PagingTrace } from '../trace/paging-trace.js';

const [ASSISTANT, TOOL_RESULT, USER] = ['assistant', 'tool_result', 'user'].map((kind) =>
  PAGE_KINDS.findIndex((known) => known === kind),
);

/** What the kernel would tell a policy of a page that it knows by `id`. */
export function viewOf(
  { failed, importance, kinds, terms, tokens }: PagingTrace,
  page: PageId,
  id: PageId,
  supersedes: readonly PageId[],
): PageView {
  const view: { -readonly [Key in keyof PageView]: PageView[Key] } = {
    id,
    kind: viewKind(kinds[page]),
    tokens: tokens[page] ?? 0,
    firstSeq: id,
    lastSeq: kinds[page] === TOOL_RESULT ? id + 1 : id,
    facts: importance[page] ?? 0,
    terms: terms[page] ?? [],
  };
  if (failed[page] === 1) view.failed = true;
  if (supersedes.length > 0) view.supersedes = supersedes;
  return view;
}

export function isUser({ kinds }: PagingTrace, page: PageId): boolean {
  return kinds[page] === USER;
}

function viewKind(kind: number | undefined): PageKind {
  if (kind === USER) return 'user';
  return kind === ASSISTANT || kind === TOOL_RESULT ? 'assistant' : 'system';
}
