import type { Tokens } from '@pagefault/contracts';
import { type Colours, type Column, formatNumber, formatPercent, formatTable } from '../../terminal/index.js';
import type { Conversation } from './feeder.js';
import type { Measured, Meter } from './meter.js';

export interface FedProcess extends Measured {
  readonly conversation: string;
  readonly process: string;
  readonly pid: string;
  readonly skipped: number;
  /** In recall storage by now. */
  readonly messages: number;
  readonly budget: Tokens;
}

export async function measure(conversations: Iterable<Conversation>, meter: Meter): Promise<FedProcess[]> {
  const fed: FedProcess[] = [];
  for (const { conversation, process, skipped } of conversations) {
    const { messages, budget } = await process.map();
    const { pid, name } = process;
    fed.push({
      conversation,
      process: name,
      pid,
      ...meter.of(pid),
      skipped,
      messages,
      budget: budget.tokens,
    });
  }
  return fed;
}

interface Cell extends Column {
  readonly of: (row: FedProcess) => string;
}

const number = (title: string, of: (row: FedProcess) => number): Cell => ({
  title,
  align: 'right',
  of: (row) => formatNumber(of(row)),
});

export function renderFed(fed: readonly FedProcess[], respond: boolean, colours: Colours): string {
  const cells: Cell[] = [
    { title: 'conversation', maxWidth: 32, of: (row) => row.conversation },
    ...(fed.some((row) => row.process !== row.conversation)
      ? [{ title: 'process', maxWidth: 32, of: (row: FedProcess) => row.process }]
      : []),
    number('appended', (row) => row.appended),
    ...(respond
      ? [number('answered', (row) => row.answered), number('unanswered', (row) => row.unanswered)]
      : []),
    number('skipped', (row) => row.skipped),
    number('in recall', (row) => row.messages),
    number('flushes', (row) => row.flushes),
    { title: 'largest request', align: 'right', of: largestRequest },
    number('budget', (row) => row.budget),
  ];
  const [titles = '', ...rows] = formatTable(
    cells,
    fed.map((row) => cells.map(({ of }) => of(row))),
  ).split('\n');
  return [colours.dim(titles), ...rows].join('\n');
}

function largestRequest({ peak, budget }: FedProcess): string {
  return peak === 0 ? '–' : `${formatNumber(peak)} (${formatPercent(peak / budget)})`;
}
