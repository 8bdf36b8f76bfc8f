/**
 * MemGPT's queue: when it is full, the older half leaves into a recursive summary.
 * Source: Packer et al., MemGPT (arXiv 2310.08560, §2.2): flush at 100 % of the window, about half of it evicted, and the
 * warning at 70 %, which moves no page. The paper gives no length of the summary. An assumption: the hundred words that its
 * program's prompt allows, 133 tokens, and a tenth of what left until then.
 */
import { fifo } from '@pagefault/kernel';
import type { Scheme } from './scheme.js';

export const memgptQueue: Scheme = {
  name: 'memgpt-queue',
  make: fifo,
  setup: {
    flushShare: 1,
    targetShare: 0.5,
    coldShare: 1,
    remains: { kind: 'summary', ratio: 0.1, most: 133 },
  },
  stack: {
    policy: 'fifo',
    limits: { warningShare: 0.7, flushShare: 1, targetShare: 0.5, backgroundShare: 1, keepExchanges: 0 },
  },
};
