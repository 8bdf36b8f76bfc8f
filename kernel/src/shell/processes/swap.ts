/** Puts a process onto another processor: between two turns, in one commit with the recount that follows from it. */
import type { Erasing } from '../erasure/carry-out.js';
import { drive } from './driven.js';
import { configurePolicy } from './policy-state.js';
import type { ProcessorChoice } from './processor-choice.js';

export async function swapProcessor(
  { environment, record, runner, policy }: Pick<Erasing, 'environment' | 'record' | 'runner' | 'policy'>,
  choice: ProcessorChoice,
): Promise<void> {
  const driven = drive(environment, record, choice.processor);
  await runner.swap(driven, choice, () => configurePolicy(policy, driven.config));
}
