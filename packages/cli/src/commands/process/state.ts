import type { ProcessControl } from '@pagefault/kernel';

/** What holds a process back, in words; empty when nothing does. */
export function stateOf({ paused, masked, killedAt }: ProcessControl): string {
  if (killedAt !== undefined) return 'killed';
  const parts = [
    ...(paused ? ['paused'] : []),
    ...(masked.length > 0 ? [`masked: ${masked.join(', ')}`] : []),
  ];
  return parts.join('; ');
}
