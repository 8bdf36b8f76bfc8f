import type { Outcome, TurnResult } from '@pagefault/kernel';

const SAID: Readonly<Record<Exclude<Outcome, 'answered' | 'appended' | 'failed'>, string>> = {
  yielded: 'no answer: the model ended its turn without one',
  refused: 'refused: the model declined to answer',
  truncated: 'truncated: the output limit cut the answer',
  interrupted: 'interrupted',
  'cycle-cap': 'stopped: the turn reached limits.maxCycles',
  'spend-cap': 'stopped: the turn reached limits.maxTurnTokens',
  'time-cap': 'stopped: the turn reached limits.maxTurnMs',
  repeating: 'stopped: the model made the same call with the same result again and again',
  thrashing: 'stopped: every cycle needed a reclaim; give it a larger window',
  'lease-lost': 'stopped: another program took the process over',
};

/** One line about a turn that did not end with an answer; undefined for one that did. */
export function outcomeLine({ outcome, failure, cycles }: TurnResult): string | undefined {
  if (outcome === 'answered' || outcome === 'appended') return undefined;
  if (outcome === 'spend-cap' && failure) return `[stopped: ${failure.message}; ${failure.hint ?? ''}]`;
  if (outcome !== 'failed')
    return `[${SAID[outcome]}${outcome === 'cycle-cap' ? ` after ${cycles} cycles` : ''}]`;
  if (!failure) return '[failed]';
  return `[failed ${failure.code}: ${failure.message}${failure.hint === undefined ? '' : `; hint: ${failure.hint}`}]`;
}
