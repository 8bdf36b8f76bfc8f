/** Runs one function call of the model, up to the event that tells the core what came of it. */
import type { Budget } from '../../core/budget.js';
import type { Effect, Event } from '../../core/events.js';
import type { ProcessState } from '../../core/state.js';
import { callContext, type CallHost } from './call-context.js';
import type { ProcessLease } from '../processes/lease.js';
import { settleShared } from '../blocks/shared-turn.js';

export interface CallingHost extends CallHost {
  readonly lease?: ProcessLease;
}

export async function runCall(
  host: CallingHost,
  { state, budget }: { readonly state: ProcessState; readonly budget: Budget },
  call: Extract<Effect, { type: 'call' }>,
  signal: AbortSignal,
): Promise<Event> {
  const { services, lease, recall, config } = host;
  const { bus, clock, executor, mintId } = services;
  const { pid } = config;
  if (signal.aborted) return { type: 'cancelled', at: clock.now() };
  const { callId, name } = call;
  bus.raise('call-started', { pid, callId, name, arguments: call.arguments });
  const context = callContext(host, state, budget, signal);
  const own = await executor.run(call, context, { fence: lease?.fence ?? 0, signal });
  const at = clock.now();
  const outcome = await settleShared(recall, config, state, { callId, at }, own);
  const recalled = (outcome.recalled ?? []).map(({ handle }) => handle);
  bus.raise('call-finished', { pid, callId, name, isError: outcome.isError ?? false, recalled });
  return { type: 'call-finished', at, callId, messageId: mintId(), outcome };
}
