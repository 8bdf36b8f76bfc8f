import type { BrokenCall, CallPart, ProcessorEvent } from '@pagefault/contracts';
import { argumentProblem } from './well-formed.js';

/** A call as it was heard. */
export interface HeardCall {
  readonly name: string;
  readonly arguments: string;
}

export interface WrittenCall {
  readonly call: CallPart;
  /** Why it must not run. */
  readonly problem: string | undefined;
}

/**
 * The call part of what was heard. A call that the output limit may have cut off is broken even where what is left of it
 * would parse; one without arguments has none.
 */
export function writtenCall(heard: HeardCall, mayBeCut: boolean, callId: string): WrittenCall {
  const call = { type: 'call', callId, name: heard.name } as const;
  const written = heard.arguments.trim();
  if (written === '' && !mayBeCut) return { call: { ...call, arguments: '{}' }, problem: undefined };
  const problem = argumentProblem(written);
  if (problem === undefined) return { call: { ...call, arguments: heard.arguments }, problem };
  const cut = mayBeCut
    ? 'the call was cut off by the output limit: make it shorter or in several calls; '
    : '';
  return { call: { ...call, arguments: '{}' }, problem: cut + problem };
}

export function brokenCallsOf(calls: readonly WrittenCall[]): { brokenCalls?: readonly BrokenCall[] } {
  const brokenCalls = calls.flatMap(({ call, problem }) =>
    problem === undefined ? [] : [{ call, problem }],
  );
  return brokenCalls.length === 0 ? {} : { brokenCalls };
}

/** The event of a piece of text; none for an empty one. */
export function said(type: 'text' | 'thinking', delta: string): ProcessorEvent[] {
  return delta === '' ? [] : [{ type, delta }];
}
