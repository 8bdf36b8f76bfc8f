import type { Command } from 'commander';
import type { MemoryMap, PageEntry } from '@pagefault/kernel';
import { formatNumber, formatTable, printable } from '../terminal/index.js';
import { renderDocuments } from './map.js';
import { plainBar } from './shared/bar.js';
import { type Context, withInspector } from './shared/context.js';
import { renderSegments } from './shared/memory-view.js';
import { type CommonOptions, DEFAULT_PROCESS, withCommon, withProcess } from './shared/options.js';
import { createPrinter } from './shared/print.js';

export function addPmap(program: Command, context: Context): void {
  withCommon(withProcess(program.command('pmap')))
    .description('show what is in main context of a process: segments, pages and documents')
    .argument('[process]', 'name or pid, as with --process')
    .action(async (given: string | undefined, options: CommonOptions) => {
      const name = given ?? options.process ?? DEFAULT_PROCESS;
      const printer = createPrinter(context.io);
      const map = await withInspector(context, options, (inspector) => inspector.pmap(name));
      if (options.json) return printer.json(map);
      const { colours } = printer;
      printer.line(
        `${colours.bold(printable(map.name))} ${colours.dim(`${map.pid}, processor ${describeProcessor(map)}, policy ${map.policy}`)}\n`,
      );
      printer.line(renderSegments(map, colours));
      printer.line(`\n${renderPages(map)}`);
      if (map.documents.length > 0) printer.line(`\n${renderDocuments(map.documents)}`);
    });
}

/** Its name, and what is behind it where the name does not say. */
function describeProcessor({ processor: { name, driver, model } }: MemoryMap): string {
  return `${name} (${driver === model ? driver : `${driver}, ${model}`})`;
}

const PAGE_BAR = 16;

export function renderPages(map: MemoryMap): string {
  const { pages, messages } = map;
  const largest = Math.max(1, ...pages.map(({ tokens }) => tokens));
  const resident = pages.reduce((sum, { firstSeq, lastSeq }) => sum + lastSeq - firstSeq + 1, 0);
  const hidden = messages - resident;
  const evicted =
    hidden > 0 ? `${formatNumber(hidden)} of ${formatNumber(messages)} messages are in recall only\n` : '';
  if (pages.length === 0) return `${evicted}no page is in the queue`;
  const table = formatTable(
    [
      { title: 'page', align: 'right' },
      { title: 'kind' },
      { title: 'residency' },
      { title: 'messages', align: 'right' },
      { title: 'tokens', align: 'right' },
      { title: '' },
    ],
    pages.map((page) => [
      String(page.id),
      page.kind,
      residencyOf(page),
      page.firstSeq === page.lastSeq ? `${page.firstSeq}` : `${page.firstSeq}–${page.lastSeq}`,
      formatNumber(page.tokens),
      plainBar(page.tokens / largest, PAGE_BAR),
    ]),
  );
  return `${evicted}${table}`;
}

function residencyOf({ residency, open, pinned }: PageEntry): string {
  return [residency, ...(open ? ['open'] : []), ...(pinned ? ['pinned'] : [])].join(', ');
}
