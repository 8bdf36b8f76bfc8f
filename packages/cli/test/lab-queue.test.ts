import type { PagingSetup } from '@pagefault/lab';
import { describe, expect, it } from 'vitest';
import { Queue } from '../src/commands/lab/work/queue.js';
import type { Task } from '../src/commands/lab/work/task.js';

const options: Pick<PagingSetup, 'budget'> = { budget: 500 };
const run = (policy: string): Task => ({ kind: 'run', trace: '/t.jsonl', cwd: '/', policy, options });
const POLICIES = ['lru', 'fifo', 'lru', 'fifo', 'arc', 'lru'];

describe('the queue of several threads', () => {
  it('lets a thread go on with its policy, then take one that no thread is at, then help with what is left', () => {
    const queue = new Queue(POLICIES.map(run));
    const first = queue.after(undefined);
    const second = queue.after(undefined);
    expect([first?.id, second?.id]).toEqual([0, 1]);
    const third = queue.after(second);
    const fourth = queue.after(third);
    const fifth = queue.after(fourth);
    // fifo twice, then arc; with only lru left, of which the other thread is at the first.
    expect([third?.id, fourth?.id, fifth?.id]).toEqual([3, 4, 2]);
    expect(queue.after(first)?.id).toBe(5);
    expect(queue.after(fifth)).toBeUndefined();
  });

  it('begins after a failure only what stands before it, so that the first failure is the one that is told', () => {
    const queue = new Queue(POLICIES.map(run));
    const failed = queue.after(queue.after(undefined));
    queue.stopAt(failed?.id ?? 0);
    expect(failed?.id).toBe(2);
    expect(queue.after(failed)?.id).toBe(1);
    expect(queue.after(undefined)).toBeUndefined();
  });
});
