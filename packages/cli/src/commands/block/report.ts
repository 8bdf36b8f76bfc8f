/** Blocks as they are printed. */
import {
  type Block,
  type BlockVersion,
  codePoints,
  type SharedView,
  sliceCodePoints,
} from '@pagefault/kernel';
import { formatNumber, formatTable, printable } from '../../terminal/index.js';

const EXCERPT = 50;

/** Without what the kernel keeps of a block for itself. */
export function forPrograms({ history: _, shared, ...block }: Block): object {
  return { ...block, ...(shared && { shared: shared.id }) };
}

/** One line. */
export function renderBlock(block: Block): string {
  return [`${block.name}: version ${block.version}`, sizeOf(block), ...marksOf(block)].join(', ');
}

export function renderList(blocks: readonly Block[]): string {
  return formatTable(
    [
      { title: 'block' },
      { title: 'version', align: 'right' },
      { title: 'characters', align: 'right' },
      { title: 'limit', align: 'right' },
      { title: 'text', maxWidth: EXCERPT },
      { title: '' },
    ],
    blocks.map((block) => [
      block.name,
      String(block.version),
      formatNumber(codePoints(block.value)),
      formatNumber(block.limit),
      excerpt(block.value),
      marksOf(block).join(', '),
    ]),
  );
}

export function renderVersions(versions: readonly BlockVersion[]): string {
  return formatTable(
    [
      { title: 'version', align: 'right' },
      { title: '' },
      { title: 'when' },
      { title: 'by', maxWidth: 36 },
      { title: 'characters', align: 'right' },
      { title: 'text', maxWidth: EXCERPT },
    ],
    versions.map(({ version, value, by, at, shown }) => [
      String(version),
      shown ? 'now' : '',
      at === undefined ? '' : new Date(at).toISOString().slice(0, 16).replace('T', ' '),
      printable(by),
      formatNumber(codePoints(value)),
      excerpt(value),
    ]),
  );
}

export function renderShared(views: readonly SharedView[]): string {
  return formatTable(
    [
      { title: 'id' },
      { title: 'block' },
      { title: 'version', align: 'right' },
      { title: 'characters', align: 'right' },
      { title: 'limit', align: 'right' },
      { title: 'text', maxWidth: EXCERPT },
    ],
    views.map(({ id, name, version, value, limit }) => [
      id,
      name,
      String(version),
      formatNumber(codePoints(value)),
      formatNumber(limit),
      excerpt(value),
    ]),
  );
}

/** The table cuts it to the column; a block may hold a million characters, which need not be looked at for that. */
function excerpt(value: string): string {
  return printable(sliceCodePoints(value, 0, 4 * EXCERPT));
}

function sizeOf({ value, limit }: Block): string {
  return `${formatNumber(codePoints(value))} of ${formatNumber(limit)} characters`;
}

function marksOf({ readOnly, shared }: Block): string[] {
  return [...(readOnly ? ['read-only'] : []), ...(shared ? ['shared'] : [])];
}
