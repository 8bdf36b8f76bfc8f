import { blocksOf, systemBlocks, type CacheMark, type CountRequest, type WireBlock } from './types.js';

/** The service takes no more over the whole request. */
export const MOST_MARKS = 4;

/** What is wrong with a request's cache marks. */
export function markProblems(request: CountRequest): string[] {
  const marked = markables(request).filter(({ mark }) => mark !== undefined);
  return [
    ...(marked.length > MOST_MARKS
      ? [`A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${marked.length}.`]
      : []),
    ...marked
      .filter(({ text }) => text?.trim() === '')
      .map(({ where }) => `${where}: cache_control cannot be set for empty text blocks`),
    ...orderProblems(marked.map(({ mark }) => mark)),
  ];
}

function orderProblems(marks: readonly (CacheMark | undefined)[]): string[] {
  const short = marks.findIndex((mark) => mark?.ttl !== '1h');
  return short >= 0 && marks.slice(short).some((mark) => mark?.ttl === '1h')
    ? ['a ttl=`1h` cache_control block must not come after a ttl=`5m` cache_control block']
    : [];
}

interface Marked {
  readonly where: string;
  readonly mark: CacheMark | undefined;
  readonly text: string | undefined;
}

/** In the order of the prefix: tools, system, messages. */
function markables(request: CountRequest): Marked[] {
  return [
    ...(request.tools ?? []).map((tool, at) => marked(tool, `tools.${at}`)),
    ...systemBlocks(request.system).map((block, at) => marked(block, `system.${at}`)),
    ...request.messages.flatMap((message, at) =>
      blocksOf(message).map((block, place) => marked(block, `messages.${at}.content.${place}`)),
    ),
  ];
}

function marked(block: object, where: string): Marked {
  return { where, mark: markOf(block), text: 'text' in block ? String(block.text) : undefined };
}

export function markOf(block: object | WireBlock): CacheMark | undefined {
  return 'cache_control' in block
    ? ((block.cache_control as CacheMark | null | undefined) ?? undefined)
    : undefined;
}
