/** Puts a process onto another processor: between two turns, in one commit with the recount that follows from it. */
import type { Erasing } from '../erasure/carry-out.js';
import { drive } from './driven.js';
import { configurePolicy } from './policy-state.js';

/** Undefined: the stack's own, whichever that is. */
export interface ProcessorChoice {
  readonly processor: string | undefined;
}

export async function swapProcessor(
  { environment, record, runner, policy }: Pick<Erasing, 'environment' | 'record' | 'runner' | 'policy'>,
  choice: ProcessorChoice,
): Promise<void> {
  const driven = drive(environment, record, choice.processor);
  await runner.swap(driven, choice, () => configurePolicy(policy, driven.config));
}
