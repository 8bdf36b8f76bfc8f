import { hintsOf } from '@pagefault/kernel';
import { describe, expect, it } from 'vitest';
import { TraceBuilder } from '../../src/importers/builder.js';
import { Ranker } from '../../src/importers/ranker.js';
import { wordsOf } from '../../src/importers/words.js';
import { imported, traceOf, useFolder } from '../support/imports.js';

describe('what a text importer tells of words', () => {
  const folder = useFolder();
  const said = (type: number, message: string, at: number, more = {}) => {
    return { type, timestamp: at, test_id: 'a', data: { message, ...more } };
  };
  const log = [
    said(0, 'My llama Bella lives in stall 4711 of Cork.', 1),
    said(4, 'How nice.', 2),
    said(0, 'The weather is dull.', 3),
    said(4, 'It is.', 4),
    said(0, 'Where does Bella the llama live?', 5, { is_question: true }),
    said(4, 'In Cork.', 6),
  ];

  it('is what the kernel would tell a policy: of pages, and of the newest user message', async () => {
    const file = await folder.write('x.master_log.jsonl', log);
    const trace = await traceOf('goodai-ltm', file);
    // The last reply is seen by no call.
    const told = log.slice(0, -1).map(({ data }) => hintsOf([data.message]));
    expect(trace.terms).toEqual(told.map(({ terms }) => terms));
    expect([...trace.importance]).toEqual(told.map(({ facts }) => facts));
    expect(trace.importance[0]).toBeGreaterThan(0);
    expect(trace.queries).toEqual([0, 2, 4].map((at) => told[at]?.terms));
    // The question is not found by itself.
    expect(trace.ranks[2]?.[0]).toBe(0);
    expect(trace.ranks[2]).not.toContain(4);
  });

  it('is numbers, and no text', async () => {
    const { lines } = await imported('goodai-ltm', await folder.write('x.master_log.jsonl', log));
    expect(JSON.stringify(lines)).not.toMatch(/bella|llama|4711|cork|dull/i);
  });

  it('is nothing where a text has no words', () => {
    expect(wordsOf(' … ')).toEqual({});
  });
});

describe('a rank list', () => {
  it('has the page first that has the rarer words, and of equal ones the newer and the shorter', () => {
    const ranker = new Ranker();
    ranker.add(0, [1, 2, 3]);
    ranker.add(1, [1, 4, 5]);
    ranker.add(2, [1, 4, 6]);
    ranker.add(3, [4, 7, 8, 9, 10, 11]);
    ranker.add(4, []);
    expect(ranker.rank([2])).toEqual([0]);
    expect(ranker.rank([1, 2])).toEqual([0, 2, 1]);
    expect(ranker.rank([4])).toEqual([2, 1, 3]);
    expect(ranker.rank([99])).toEqual([]);
  });

  it('holds ten at most, and knows nothing of the session before', () => {
    const trace = new TraceBuilder('annotated');
    const page = () => trace.page({ tok: 1, kind: 'user', terms: [7] });
    for (let n = 0; n < 12; n++) page();
    expect(trace.step(1)).not.toHaveProperty('rank');
    page();
    expect(trace.step(1).rank).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    trace.boundary('session_end');
    page();
    expect(trace.step(1)).toMatchObject({ query: [7] });
    page();
    expect(trace.step(1).rank).toEqual([13]);
  });

  it('and a query are left out where nobody told of words', () => {
    const trace = new TraceBuilder('annotated');
    trace.page({ tok: 1, kind: 'user' });
    expect(trace.step(1)).toEqual({ type: 'step', i: 0, ms: 0, out: 1, needs: [] });
  });
});
