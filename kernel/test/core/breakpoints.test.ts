import type { Message } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakpointsOf } from '../../src/core/layout/breakpoints.js';
import { world } from '../support/gen.js';
import { play } from '../support/run.js';

let ids = 0;

function message(role: Message['role'], parts = 1): Message {
  const text = { type: 'text', text: 'x' } as const;
  return { id: `m${(ids += 1)}`, role, at: 0, parts: Array.from({ length: parts }, () => text) };
}

/** Blocks, summary, then as given, then the tail. */
function request(...queue: readonly Message[]): readonly Message[] {
  return [message('system'), message('system'), ...queue, message('system')];
}

const exchange = () => [message('user'), message('assistant')];

function blocksBetween(messages: readonly Message[], from: number, to: number): number {
  return messages.slice(from, to).reduce((sum, { parts }) => sum + parts.length, 0);
}

describe('cache breakpoints', () => {
  it('stand after the system text, before the queue, and before the tail', () => {
    expect(breakpointsOf(request(message('user')), 2)).toEqual([0, 2, 3]);
    expect(breakpointsOf([message('user'), message('system')], 0)).toEqual([0, 1]);
    expect(breakpointsOf([message('system')], 0)).toEqual([0]);
  });

  it('keep the place where the queue ended at the request before, so that it is found again', () => {
    const turn = request(...exchange(), message('user'));
    expect(breakpointsOf(turn, 2)).toEqual([0, 2, 3, 5]);
    // The next request of the same turn: the reply and its results came after the queue's end.
    const before = request(message('user'));
    const after = request(message('user'), message('assistant', 2), message('tool'), message('tool'));
    expect(breakpointsOf(before, 2).at(-1)).toBe(breakpointsOf(after, 2).at(-2));
  });

  it('move up when the last one is out of reach, as far as two look-backs of 20 content blocks reach', () => {
    const calls = [message('assistant', 15), ...Array.from({ length: 15 }, () => message('tool'))];
    const messages = request(message('user'), ...calls);
    const [, , near = 0, last = 0] = breakpointsOf(messages, 2);
    expect(blocksBetween(messages, near, last)).toBeLessThanOrEqual(20);
    expect(blocksBetween(messages, 3, near)).toBeLessThanOrEqual(20);
    expect(near).toBeGreaterThan(3);
  });

  it('stay where the queue ended when no look-back reaches there', () => {
    const calls = [message('assistant', 30), ...Array.from({ length: 30 }, () => message('tool'))];
    expect(breakpointsOf(request(message('user'), ...calls), 2)).toEqual([0, 2, 3, 34]);
  });

  it('are at most four, ascending, never behind the tail, whatever is sent (A58)', () => {
    fc.assert(
      fc.property(world, (random) => {
        for (const { request: sent } of play(random).requests) {
          const breakpoints = sent.breakpoints ?? [];
          expect(breakpoints.length).toBeLessThanOrEqual(4);
          expect(breakpoints).toEqual([...new Set(breakpoints)].toSorted((a, b) => a - b));
          expect(breakpoints[0]).toBe(0);
          expect(breakpoints.at(-1)).toBe(sent.messages.length - 1);
        }
      }),
      { numRuns: 20 },
    );
  });
});
