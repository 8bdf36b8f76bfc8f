import type { Message } from '@pagefault/contracts';
import { DEFAULT_LIMITS } from '@pagefault/kernel';
import { describe, expect, it } from 'vitest';
import { compare, readTrace } from '../src/index.js';

const says = (id: string, text: string): Message => ({
  id,
  role: 'user',
  at: 0,
  parts: [{ type: 'text', text }],
});

const header = {
  type: 'header',
  version: 1,
  config: {
    limits: DEFAULT_LIMITS,
    processor: { driver: 'double', model: 'm', window: 1_000, maxOutput: 100 },
  },
  policy: { id: 'lru', version: 1 },
  state: {
    pages: [
      {
        id: 3,
        kind: 'user',
        sealed: true,
        tokens: 12,
        messages: [{ seq: 7, tokens: 12, message: says('a', 'Ask for INC-4711 there.') }],
      },
      {
        id: 4,
        kind: 'assistant',
        sealed: false,
        tokens: 9,
        messages: [{ seq: 8, tokens: 9, message: says('b', '?') }],
      },
    ],
  },
};
const observed = (observation: object) => JSON.stringify({ type: 'observation', observation });
const lines = (...rest: string[]) => [JSON.stringify(header), ...rest];

describe('a trace', () => {
  it('begins with the budget and the sealed pages that were resident, told as the kernel tells them', async () => {
    const trace = await readTrace(lines());
    const page = { id: 3, kind: 'user', tokens: 12, firstSeq: 7, lastSeq: 7, facts: 1 };
    expect(trace).toMatchObject({
      policy: 'lru',
      steps: [
        { kind: 'capacity', tokens: 880 },
        { kind: 'birth', page },
      ],
    });
    const [, birth] = trace.steps;
    expect(birth?.kind === 'birth' && birth.page.terms).toHaveLength(4);
  });

  it('keeps what is said of a page at its birth and at a reclaim; older recordings say nothing', async () => {
    const told = { kind: 'user', tokens: 5, firstSeq: 8, lastSeq: 9 };
    const hints = { facts: 2, terms: [1, 2], failed: true, supersedes: [3] };
    const asked = { step: 2, release: 10, eligible: [3], sizes: [12] };
    const { steps } = await readTrace(
      lines(
        observed({ name: 'page-born', page: 4, ...told, ...hints }),
        observed({ name: 'page-born', page: 5, ...told }),
        observed({ name: 'reclaim', ...asked, focus: [2], victims: [3] }),
        observed({ name: 'reclaim', ...asked, victims: [3] }),
      ),
    );
    expect(steps.slice(2)).toEqual([
      { kind: 'birth', page: { id: 4, ...told, ...hints } },
      { kind: 'birth', page: { id: 5, ...told } },
      { kind: 'reclaim', ...asked, focus: [2], evicted: [3] },
      { kind: 'reclaim', ...asked, evicted: [3] },
    ]);
  });

  it('keeps births, needs, reclaims and requests in their order, and nothing else', async () => {
    const trace = await readTrace(
      lines(
        observed({ name: 'turn-started', turnId: 't', interruptId: 'i' }),
        observed({ name: 'page-born', page: 4, kind: 'user', tokens: 5, firstSeq: 8, lastSeq: 9 }),
        observed({ name: 'page-needed', page: 1, why: 'page-in', fault: true }),
        observed({ name: 'reclaim', step: 2, release: 10, eligible: [3], victims: [3] }),
        observed({ name: 'request', tokens: 90, budget: 100, cycle: 1 }),
        JSON.stringify({ type: 'request', sha256: 'x', tokens: 90 }),
      ),
    );
    expect(trace.steps.map(({ kind }) => kind)).toEqual([
      'capacity',
      'birth',
      'birth',
      'need',
      'reclaim',
      'request',
    ]);
  });

  it('says which line is no line of a recording', async () => {
    await expect(readTrace(lines('{"type":"nonsense"}'))).rejects.toMatchObject({
      code: 'E_RECORDING',
      message: expect.stringContaining('line 2') as string,
    });
    await expect(readTrace(['not json'])).rejects.toMatchObject({ code: 'E_RECORDING' });
    await expect(readTrace([])).rejects.toMatchObject({ code: 'E_RECORDING' });
  });

  it('lists the known policies when one is asked for that is not known', async () => {
    await expect(compare(lines(), ['fifo', 'lifo'])).rejects.toMatchObject({
      code: 'E_CONFIG',
      hint: expect.stringContaining('fifo, lru') as string,
    });
  });
});
