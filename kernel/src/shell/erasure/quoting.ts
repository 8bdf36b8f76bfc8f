/** What stays and quotes what goes. */
import type { LogScan } from './log-scan.js';
import { readTimer, TIMER_SPACE } from '../../timer/timer.js';
import type { Quoting } from './job.js';
import type { PlanContext } from './plan-context.js';
import { ownPassages } from './walk.js';

export async function quotedBy(
  context: PlanContext,
  scan: LogScan,
  gone: ReadonlySet<string>,
): Promise<Quoting> {
  const { recall, record, state } = context;
  const { quotes, quoting } = scan;
  const passages: string[] = [];
  if (!quotes.isEmpty) {
    for await (const { id, text } of ownPassages(context))
      if (!gone.has(id) && quotes.isQuotedIn(text)) passages.push(id);
  }
  const timers = (await recall.load(record.pid, [TIMER_SPACE])).map(readTimer);
  return {
    blocks: state.blocks.filter(({ value }) => quotes.isQuotedIn(value)).map(({ name }) => name),
    messages: quoting,
    passages,
    timers: timers.filter(({ text }) => quotes.isQuotedIn(text)).map(({ id }) => id),
    complete: !quotes.isPartial,
  };
}
