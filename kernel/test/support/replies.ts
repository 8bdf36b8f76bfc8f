/** Replies of a processor, written short. */
import type { CallPart, FinishReason, Part, Reply, Usage } from '@pagefault/contracts';

const UNKNOWN: Usage = { plain: 0, cached: 0, written: 0, output: 0 };
let minted = 0;

export function reply(
  parts: readonly Part[],
  reason: FinishReason = 'stop',
  usage: Partial<Usage> = {},
): Reply {
  return { parts, reason, usage: { ...UNKNOWN, ...usage } };
}

export function says(text: string, reason: FinishReason = 'stop', usage: Partial<Usage> = {}): Reply {
  return reply([{ type: 'text', text }], reason, usage);
}

/** `args` as an object, or as the JSON text that the model wrote. Call ids are unique in a test run. */
export function call(name: string, args: object | string = {}): CallPart {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return { type: 'call', callId: `call_${(minted += 1)}`, name, arguments: text };
}

export function calls(...parts: readonly CallPart[]): Reply {
  return reply(parts, 'calls');
}

/** Calls a function and asks to be run again. */
export function looksUp(name: string, args: object = {}): Reply {
  return calls(call(name, { ...args, request_heartbeat: true }));
}

export function tells(message: string): Reply {
  return calls(call('send_message', { message }));
}

export function nothing(reason: FinishReason = 'stop'): Reply {
  return reply([], reason);
}
