import type { PolicyFactory } from '@pagefault/kernel';

/** One that may be a program of its own. */
export type ClosablePolicy = PolicyFactory & { close?(): Promise<void> };

/** Ends the programs that were started for policies. */
export async function closePolicies(
  policies: readonly ({ close?(): Promise<void> } | object)[],
): Promise<void> {
  await Promise.all(policies.map((one) => ('close' in one ? one.close?.() : undefined)));
}
