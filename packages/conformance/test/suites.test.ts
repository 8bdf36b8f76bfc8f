import { describe, expect, it } from 'vitest';
import {
  brokenArchivals,
  brokenEmbedders,
  brokenProcessors,
  brokenRebuilds,
  brokenRecalls,
} from '../broken/index.js';
import { archivalCases, embedderCases, processorCases, recallCases, runCase } from '../src/index.js';

interface Probe {
  readonly driver: { open(): Promise<void>; close(): Promise<void> };
}

describe.each([
  ['recall', recallCases],
  ['archival', archivalCases],
  ['embedder', embedderCases],
  ['processor', processorCases],
])('the %s suite', (_, cases) => {
  it('names each case once, as `room: sentence`', () => {
    const names = cases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z -]*: \S/);
  });
});

describe('running a case', () => {
  const calls: string[] = [];
  const driver = {
    open: async () => void calls.push('open'),
    close: async () => void calls.push('close'),
  };
  const setup = { create: (): Probe => ({ driver }), destroy: () => void calls.push('destroy') };

  it('closes and destroys the instance also after a failure, and passes the failure on', async () => {
    const failing = { name: 'room: fails', run: () => Promise.reject(new Error('broken promise')) };
    await expect(runCase(setup, failing)).rejects.toThrow('broken promise');
    expect(calls).toEqual(['open', 'close', 'destroy']);
  });
});

describe('the broken drivers', () => {
  it('name cases that exist, and at least one each', () => {
    const known = new Set(
      [...recallCases, ...archivalCases, ...embedderCases, ...processorCases].map(({ name }) => name),
    );
    known.add('model: random operations give the same results as the reference');
    for (const { mustFail } of [
      ...brokenRecalls,
      ...brokenArchivals,
      ...brokenRebuilds,
      ...brokenEmbedders,
      ...brokenProcessors,
    ]) {
      expect(mustFail.length).toBeGreaterThan(0);
      expect(mustFail.filter((name) => !known.has(name))).toEqual([]);
    }
  });
});
