import { describe, expect, it } from 'vitest';
import { compare, readTrace } from '../src/index.js';

const header = {
  type: 'header',
  version: 1,
  config: {},
  policy: { id: 'lru', version: 1 },
  state: {
    pages: [
      { id: 3, kind: 'user', sealed: true, messages: [{ seq: 7, tokens: 12 }] },
      { id: 4, kind: 'assistant', sealed: false, messages: [{ seq: 8, tokens: 9 }] },
    ],
  },
};
const observed = (observation: object) => JSON.stringify({ type: 'observation', observation });
const lines = (...rest: string[]) => [JSON.stringify(header), ...rest];

describe('a trace', () => {
  it('begins with the sealed pages that were resident when the recording began', async () => {
    const trace = await readTrace(lines());
    expect(trace).toEqual({
      policy: 'lru',
      steps: [{ kind: 'birth', page: { id: 3, kind: 'user', tokens: 12, firstSeq: 7, lastSeq: 7 } }],
    });
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
    expect(trace.steps.map(({ kind }) => kind)).toEqual(['birth', 'birth', 'need', 'reclaim', 'request']);
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
