import type { PolicyFactory } from '@pagefault/kernel';

/** One that may be a program of its own. */
export type ClosablePolicy = PolicyFactory & { close?(): Promise<void> };

/** The work's result. Programs that were started for policies end, whatever becomes of it. */
export async function withPolicies<T, P extends object>(
  policies: readonly P[],
  work: (policies: readonly P[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(policies);
  } finally {
    await Promise.all(policies.map((one) => closed(one)));
  }
}

async function closed(policy: { close?(): Promise<void> }): Promise<void> {
  await policy.close?.();
}
