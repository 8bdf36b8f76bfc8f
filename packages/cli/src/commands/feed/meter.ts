import type { Tokens } from '@pagefault/contracts';
import type { Bus } from '@pagefault/kernel';

/** What one process did while it was fed. */
export interface Measured {
  readonly appended: number;
  /** Sent and answered, with `--respond`. */
  readonly answered: number;
  /** Sent, with another outcome. */
  readonly unanswered: number;
  readonly flushes: number;
  readonly requests: number;
  /** Tokens of the largest request; 0 when there was none. */
  readonly peak: Tokens;
}

const NOTHING: Measured = { appended: 0, answered: 0, unanswered: 0, flushes: 0, requests: 0, peak: 0 };

/** Listens to what the kernel tells, so that also the work of a batch that was cut off is counted. */
export interface Meter {
  of(pid: string): Measured;
  close(): void;
}

export function createMeter(bus: Bus, onMessage: () => void): Meter {
  const measured = new Map<string, Measured>();
  const of = (pid: string) => measured.get(pid) ?? NOTHING;
  const add = (pid: string, change: (before: Measured) => Partial<Measured>) => {
    const before = of(pid);
    measured.set(pid, { ...before, ...change(before) });
  };
  const forget = [
    bus.on('turn-result', ({ pid, result: { outcome } }) => {
      const key = outcome === 'appended' || outcome === 'answered' ? outcome : 'unanswered';
      add(pid, (before) => ({ [key]: before[key] + 1 }));
      onMessage();
    }),
    bus.on('flush-finished', ({ pid }) => add(pid, ({ flushes }) => ({ flushes: flushes + 1 }))),
    bus.on('request', ({ pid, tokens }) =>
      add(pid, ({ requests, peak }) => ({ requests: requests + 1, peak: Math.max(peak, tokens) })),
    ),
  ];
  return { of, close: () => forget.forEach((stop) => stop()) };
}
