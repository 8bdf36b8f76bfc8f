import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needCounts, pageCount, readTraceFile, stepCount } from '../../src/index.js';
import { readLines } from '../../src/importers/lines.js';
import { checked, collected, HEADER } from '../support/lines.js';

const page = (id: number, step: number, more = {}) => ({
  type: 'page',
  id,
  step,
  tok: 100,
  kind: 'user',
  ...more,
});
const step = (i: number, needs: readonly number[] = [], more = {}) => {
  return {
    type: 'step',
    i,
    ms: i * 1_000,
    out: 10,
    needs: needs.map((id) => ({ id, why: 'annotated' })),
    ...more,
  };
};

describe('a trace', () => {
  it('is taken line by line, in order', async () => {
    const lines = [
      HEADER,
      page(0, 0),
      step(0),
      page(1, 1),
      { type: 'supersede', step: 1, old: 0, new: 1 },
      step(1, [0]),
    ];
    expect(await checked(lines)).toEqual(lines);
  });

  it.each([
    ['no line', [], /line 1, field type: a trace begins with a header/],
    ['no header', [page(0, 0)], /line 1, field type: a header comes first, not a page/],
    ['a second header', [HEADER, HEADER], /line 2, field type: a header stands on the first line only/],
    ['a page out of turn', [HEADER, page(1, 0)], /line 2, field id: the next page is 0, not 1/],
    [
      'a page of a step that is not next',
      [HEADER, page(0, 1)],
      /line 2, field step: the next step is 0, not 1/,
    ],
    ['a step out of turn', [HEADER, step(1)], /line 2, field i: the next step is 0, not 1/],
    [
      'time that goes back',
      [HEADER, step(0, [], { ms: 5 }), step(1, [], { ms: 4 })],
      /line 3, field ms: 4 is earlier than the step before, at 5/,
    ],
    [
      'a need of a page that is not born',
      [HEADER, page(0, 0), step(0, [0, 1])],
      /line 3, field needs\.1\.id: page 1 is not born yet; 1 pages are/,
    ],
    [
      'a rank of such a page',
      [HEADER, step(0, [], { rank: [0] })],
      /line 2, field rank\.0: page 0 is not born yet/,
    ],
    [
      'a parent that is not born',
      [HEADER, page(0, 0, { parent: 3 })],
      /line 2, field parent: page 3 is not born yet/,
    ],
    [
      'usage of a step to come',
      [HEADER, { type: 'usage', step: 0, read: 0, write: 0, plain: 0, out: 0 }],
      /line 2, field step: step 0 has not come yet/,
    ],
    ['a field that is not known', [HEADER, page(0, 0, { tokens: 5 })], /line 2, field type: .*tokens/],
    ['a number that is none', [HEADER, page(0, 0, { tok: -1 })], /line 2, field tok:/],
    ['a kind that is not known', [HEADER, page(0, 0, { kind: 'note' })], /line 2, field kind: .*tool_result/],
    ['another version', [{ ...HEADER, v: 2 }], /line 1, field v:/],
  ])('with %s is refused, by line and field', async (_, lines, message) => {
    await expect(checked(lines)).rejects.toThrow(message);
    await expect(checked(lines)).rejects.toMatchObject({
      code: 'E_TRACE',
      hint: expect.stringContaining('docs/policy-lab.md'),
    });
  });

  it('becomes arrays by page and by step, without what no step saw', async () => {
    const trace = await collected(
      page(0, 0, { kind: 'system', pin: true }),
      page(1, 0, { terms: [3, 9], imp: 7 }),
      step(0, [], { query: [9] }),
      page(2, 1, { tok: 50, kind: 'tool_result', failed: true }),
      { type: 'supersede', step: 1, old: 1, new: 2 },
      { type: 'boundary', step: 1, kind: 'task_switch' },
      step(1, [1, 2]),
      page(3, 2),
    );
    expect([pageCount(trace), stepCount(trace)]).toEqual([3, 2]);
    expect([...trace.tokens]).toEqual([100, 100, 50]);
    expect([...trace.bornStart]).toEqual([0, 2, 3]);
    expect([...trace.needStart]).toEqual([0, 0, 2]);
    expect([...trace.needs]).toEqual([1, 2]);
    expect([...trace.superseded]).toEqual([1]);
    expect([...trace.supersededStart]).toEqual([0, 0, 1]);
    expect([...trace.pinned]).toEqual([1, 0, 0]);
    expect([...trace.failed]).toEqual([0, 0, 1]);
    expect(trace.terms).toEqual([[], [3, 9], []]);
    expect(trace.queries).toEqual([[9], []]);
    expect(needCounts(trace)).toEqual({ annotated: 2, 're-read': 0, derived: 0 });
  });
});

describe('a file of a trace', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pagefault-lab-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const text = [HEADER, page(0, 0), step(0, [0])].map((line) => JSON.stringify(line)).join('\r\n');
  const read = async (name: string, bytes: string | Uint8Array) => {
    await writeFile(join(folder, name), bytes);
    const types: string[] = [];
    for await (const line of readTraceFile(join(folder, name))) types.push(line.type);
    return types;
  };

  it('may be packed, may end its lines as on Windows, and needs no end of its last line', async () => {
    expect(await read('a.jsonl', text)).toEqual(['header', 'page', 'step']);
    expect(await read('a.jsonl.gz', gzipSync(text))).toEqual(['header', 'page', 'step']);
  });

  it('that is no JSON, cut off, packed otherwise, or not there is refused', async () => {
    await expect(read('a.jsonl', `${text}\n{"type":`)).rejects.toThrow(/line 4 is not JSON: \{"type":/);
    await expect(read('a.jsonl.gz', gzipSync(text).subarray(0, 60))).rejects.toMatchObject({
      code: 'E_TRACE',
    });
    await expect(read('a.jsonl.zst', text)).rejects.toMatchObject({ code: 'E_TRACE' });
    for (const name of ['none.jsonl', 'none.jsonl.gz', 'none.jsonl.zst'])
      await expect(readTraceFile(join(folder, name)).next(), name).rejects.toMatchObject({
        code: 'E_NOT_FOUND',
      });
    for (const name of ['folder.jsonl', 'folder.jsonl.gz', 'folder.jsonl.zst']) {
      await mkdir(join(folder, name));
      await expect(readTraceFile(join(folder, name)).next(), name).rejects.toMatchObject({ code: 'E_TRACE' });
    }
  });

  it('has the same lines, in whatever pieces it is read', async () => {
    const text = fc.array(fc.constantFrom('', 'a', 'é', '👋', '\n', '\r\n', 'long '.repeat(9)));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const bytes = Buffer.from(parts.join(''));
        const lines: string[] = [];
        for await (const line of readLines(piecesOf(bytes, size))) lines.push(line.text);
        const whole = parts.join('').split('\n');
        if (whole.at(-1) === '') whole.pop();
        expect(lines).toEqual(whole.map((line) => line.replace(/\r$/, '')));
      }),
    );
  });
});

async function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
