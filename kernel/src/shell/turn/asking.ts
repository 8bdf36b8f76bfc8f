/** A turn on an overlay: what it wrote is thrown away, what it cost is kept. */
import { PagefaultError } from '@pagefault/contracts';
import { billsSince } from '../../core/bills.js';
import type { Interrupt } from '../../core/events.js';
import type { TurnResult } from '../../core/outcome.js';
import type { Runner } from '../runner.js';
import type { Services } from '../services.js';

export async function askOn(
  runner: Runner,
  { mintId, clock, ledger }: Pick<Services, 'mintId' | 'clock' | 'ledger'>,
  interrupt: Interrupt,
  signal: AbortSignal | undefined,
): Promise<TurnResult> {
  const event = { type: 'interrupt', at: clock.now(), turnId: mintId(), interrupt } as const;
  const before = runner.state.head.bills ?? {};
  try {
    const result = await runner.run(() => event, signal);
    if (!result) throw new PagefaultError('E_STORAGE', 'the turn ended without a result');
    return result;
  } finally {
    ledger.add(runner.pid, billsSince(before, runner.state.head.bills ?? {}));
    await ledger.settle();
  }
}
