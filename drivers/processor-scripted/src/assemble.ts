import type { BrokenCall, CallPart, Part, Reply } from '@pagefault/contracts';
import type { PlannedReply } from './plan.js';

/** Gives the calls their ids and sorts out those that cannot be run. */
export function assemble(plan: PlannedReply, mint: (slot: number) => string): Reply {
  const parts: Part[] = [];
  if (plan.thinking) parts.push({ type: 'thinking', text: plan.thinking });
  if (plan.text) parts.push({ type: 'text', text: plan.text });
  const broken: BrokenCall[] = [];
  plan.calls.forEach((planned, slot) => {
    const call: CallPart = { type: 'call', callId: mint(slot), ...planned };
    const problem = problemOf(planned.arguments);
    if (problem === undefined) parts.push(call);
    else broken.push({ call: { ...call, arguments: '{}' }, problem });
  });
  const reply = { parts, reason: plan.reason, usage: plan.usage };
  return broken.length === 0 ? reply : { ...reply, brokenCalls: broken };
}

function problemOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? undefined : 'the arguments are not a JSON object';
  } catch (error) {
    return `the arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
