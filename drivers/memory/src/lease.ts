import type { Instant, Lease, Milliseconds, Pid } from '@pagefault/contracts';
import { type HeldLease, processOf, type Store } from './store.js';

export interface LeaseAsk {
  readonly pid: Pid;
  readonly owner: string;
  readonly ttl: Milliseconds;
  readonly now: Instant;
}

/** Takes or renews. Undefined while another owner's lease is valid. */
export function acquireLease(store: Store, ask: LeaseAsk): Lease | undefined {
  const holder = processOf(store, ask.pid);
  const held = holder.lease;
  const isMine = held?.owner === ask.owner;
  if (held && !isMine && held.expiresAt > ask.now) return undefined;
  const fence = held && isMine ? held.fence : (store.lastFence += 1);
  const lease: HeldLease = { owner: ask.owner, fence, expiresAt: ask.now + ask.ttl };
  holder.lease = lease;
  return Object.freeze({ fence: lease.fence, expiresAt: lease.expiresAt });
}

export function releaseLease(store: Store, pid: Pid, owner: string): void {
  const holder = store.processes.get(pid);
  if (holder?.lease?.owner === owner) holder.lease = undefined;
}
