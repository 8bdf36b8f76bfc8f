import type { RecallDriver } from '@pagefault/contracts';
import { ADA, alone, entry } from './instance.js';

/** A harmless call of each operation that takes a signal. */
export function operations(driver: RecallDriver, signal?: AbortSignal): readonly (() => Promise<unknown>)[] {
  const lineage = alone(ADA);
  return [
    () => driver.commit({ pid: ADA, appends: [entry(1)] }, signal),
    () => driver.load(ADA, ['state'], signal),
    () => driver.get(ADA, [{ space: 'state', key: 'k' }], signal),
    () => driver.read(lineage, { limit: 1 }, signal),
    () => driver.scan('state', { limit: 1 }, signal),
    () => driver.postings(lineage, 'messages', ['alpaca'], signal),
    () => driver.documents(lineage, 'messages', [0], signal),
    () => driver.stats(lineage, signal),
    () => driver.erase({ pid: ADA, whole: true }, signal),
    () => driver.acquireLease(ADA, 'kernel-1', 60_000, signal),
  ];
}
