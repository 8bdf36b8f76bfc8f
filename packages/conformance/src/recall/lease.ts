import { setTimeout as wait } from 'node:timers/promises';
import { type Lease, PagefaultError, type RecallDriver } from '@pagefault/contracts';
import { holds, rejects, same } from '../check.js';
import { document } from './document.js';
import { ADA, BOB, entry, everything, positions, type RecallCase, type RecallInstance } from './instance.js';

const HOUR = 3_600_000;

/** A lease that must be granted. */
async function take(driver: RecallDriver, owner: string, ttl = HOUR): Promise<Lease> {
  const lease = await driver.acquireLease(ADA, owner, ttl);
  if (lease) return lease;
  throw new PagefaultError('E_LEASE_LOST', `the lease was refused to ${owner}`);
}

export const lease: readonly RecallCase[] = [
  {
    name: 'lease: is refused to another owner while it is valid',
    async run({ driver }) {
      await take(driver, 'kernel-1');
      same(await driver.acquireLease(ADA, 'kernel-2', HOUR), undefined);
      holds(await driver.acquireLease(BOB, 'kernel-2', HOUR), 'another process has a lease of its own');
    },
  },
  {
    name: 'lease: renewing keeps the fence and moves the end',
    async run({ driver }) {
      const first = await take(driver, 'kernel-1', HOUR);
      const second = await take(driver, 'kernel-1', 2 * HOUR);
      same(second.fence, first.fence);
      holds(second.expiresAt >= first.expiresAt + HOUR, 'the end moves by what was asked');
    },
  },
  {
    name: 'lease: a released one can be taken at once, with a higher fence',
    async run({ driver }) {
      const first = await take(driver, 'kernel-1');
      await driver.releaseLease(ADA, 'kernel-1');
      const second = await take(driver, "kernel-2'; --");
      await driver.releaseLease(ADA, "kernel-2'; --");
      const third = await take(driver, 'kernel-1');
      holds(
        first.fence < second.fence && second.fence < third.fence,
        'each change of owner raises the fence',
      );
    },
  },
  {
    name: 'lease: only its owner can release it, and without one a release is no error',
    async run({ driver }) {
      await driver.releaseLease(ADA, 'kernel-1');
      await take(driver, 'kernel-1');
      await driver.releaseLease(ADA, 'kernel-2');
      same(await driver.acquireLease(ADA, 'kernel-2', HOUR), undefined);
    },
  },
  {
    name: 'lease: an expired one can be taken by another owner, with a higher fence',
    async run(instance) {
      const first = await take(instance.driver, 'kernel-1', 40);
      const second = await takeAfterExpiry(instance, 'kernel-2');
      holds(second.fence > first.fence, 'the fence is higher');
      await rejects(
        'E_LEASE_LOST',
        instance.driver.commit({ pid: ADA, fence: first.fence, appends: [entry(1)] }),
      );
      same(await positions(instance.driver, ADA), []);
    },
  },
  {
    name: 'lease: of many owners at once exactly one gets it',
    async run({ driver }) {
      const owners = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
      const leases = await Promise.all(owners.map((owner) => driver.acquireLease(ADA, owner, HOUR)));
      same(leases.filter((granted) => granted !== undefined).length, 1);
    },
  },
  {
    name: "fence: the holder's commit passes, and one without a fence passes beside it",
    async run({ driver }) {
      const { fence } = await take(driver, 'kernel-1');
      await driver.commit({ pid: ADA, fence, appends: [entry(1)] });
      await driver.commit({ pid: ADA, puts: [{ space: 'inbox', key: 'mail', value: 1 }] });
      await driver.commit({ pid: ADA, fence, appends: [entry(2)] });
      same(await positions(driver, ADA), [1, 2]);
    },
  },
  {
    name: 'fence: a stale one is E_LEASE_LOST and nothing is written',
    async run({ driver }) {
      const { fence } = await take(driver, 'kernel-1');
      await driver.commit({
        pid: ADA,
        fence,
        appends: [entry(1)],
        puts: [{ space: 'state', key: 'k', value: 1 }],
      });
      await driver.releaseLease(ADA, 'kernel-1');
      await take(driver, 'kernel-2');
      const before = await everything(driver, ADA);
      const stale = {
        appends: [entry(2)],
        puts: [{ space: 'state', key: 'new', value: 2 }],
        deletes: [{ space: 'state', key: 'k' }],
        documents: [document(0, 2)],
      };
      await rejects('E_LEASE_LOST', driver.commit({ pid: ADA, fence, ...stale }));
      same(await everything(driver, ADA), before);
    },
  },
  {
    name: 'fence: one that was released, erased or never given is E_LEASE_LOST',
    async run({ driver }) {
      const refused = (fence: number): Promise<void> =>
        rejects('E_LEASE_LOST', driver.commit({ pid: ADA, fence, appends: [entry(1)] }));
      await refused(1);
      const released = await take(driver, 'kernel-1');
      await refused(released.fence + 1);
      await driver.releaseLease(ADA, 'kernel-1');
      await refused(released.fence);
      const erased = await take(driver, 'kernel-1');
      await driver.erase({ pid: ADA, whole: true });
      await refused(erased.fence);
      same(await positions(driver, ADA), []);
    },
  },
];

// 10 s in all: far more than any lease here, and only a driver whose leases never expire waits that long.
const POLLS = 400;
const POLL_MS = 25;

async function takeAfterExpiry({ driver, advance }: RecallInstance, owner: string): Promise<Lease> {
  if (advance) {
    await advance(41);
    return take(driver, owner);
  }
  for (let poll = 0; poll < POLLS; poll += 1) {
    const granted = await driver.acquireLease(ADA, owner, HOUR);
    if (granted) return granted;
    await wait(POLL_MS);
  }
  throw new PagefaultError('E_LEASE_LOST', `the lease did not expire within ${(POLLS * POLL_MS) / 1000} s`);
}
