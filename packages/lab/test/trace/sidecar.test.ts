import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  loadTrace,
  rankable,
  readSidecar,
  traceProblems,
  traceSchema,
  writeSidecar,
} from '../../src/index.js';
import { useFolder } from '../support/imports.js';
import { collected, HEADER } from '../support/lines.js';

const SHA = 'ab'.repeat(32);
const page = (id: number, step: number, more = {}) => ({
  type: 'page',
  id,
  step,
  tok: id * 7,
  kind: 'user',
  ...more,
});
const step = (i: number, needs: readonly number[] = [], more = {}) => ({
  type: 'step',
  i,
  ms: i * 1.5,
  out: 1,
  needs: needs.map((id) => ({ id, why: 'derived' })),
  ...more,
});

describe('a sidecar', () => {
  const folder = useFolder();
  const small = () =>
    collected(page(0, 0, { terms: [1, 9] }), step(0), page(1, 1), step(1, [0], { query: [9] }));

  it('holds what the trace held, whatever that is', async () => {
    const pages = fc.array(
      fc.record({
        terms: fc.array(fc.nat(9), { maxLength: 4 }),
        needs: fc.boolean(),
        name: fc.option(fc.string({ minLength: 1 })),
      }),
      {
        maxLength: 20,
      },
    );
    await fc.assert(
      fc.asyncProperty(pages, async (given) => {
        const lines = given.flatMap(({ terms, needs, name }, at) => [
          page(at, at, { terms, pin: needs, ...(name !== null && { session: name, obj: `of ${name}` }) }),
          ...(at > 0 && needs ? [{ type: 'supersede', step: at, old: at - 1, new: at }] : []),
          step(at, needs ? [at] : [], { query: terms, rank: terms.map(() => at) }),
          { type: 'usage', step: at, read: at, write: 1, plain: 2, out: 3 },
        ]);
        const trace = await collected(...lines);
        expect(readSidecar(writeSidecar(trace, SHA), SHA)).toEqual(trace);
      }),
    );
  });

  it('of another file, of another version, cut off or damaged is refused', async () => {
    const bytes = writeSidecar(await small(), SHA);
    const changed = (at: number) => Uint8Array.from(bytes, (byte, place) => (place === at ? byte ^ 1 : byte));
    expect(() => readSidecar(bytes, 'cd'.repeat(32))).toThrow(/of another file/);
    expect(() => readSidecar(changed(4), SHA)).toThrow(/of version 2, not 3/);
    expect(() => readSidecar(bytes.subarray(0, -8), SHA)).toThrow(/bytes are there/);
    expect(() => readSidecar(bytes.subarray(0, 20), SHA)).toThrow(/no sidecar/);
    expect(() => readSidecar(changed(bytes.length - 1), SHA)).toThrow(/damaged/);
    expect(() => readSidecar(changed(0), SHA)).toThrow(expect.objectContaining({ code: 'E_TRACE' }));
  });

  it('is made when a trace is loaded, beside it or in a cache, and made anew when it does not fit', async () => {
    const file = await folder.write('a.jsonl', [HEADER, page(0, 0), step(0, [0])]);
    const trace = await loadTrace(file);
    expect(await loadTrace(file)).toEqual(trace);
    await writeFile(`${file}.bin`, 'nonsense');
    expect(await loadTrace(file)).toEqual(trace);
    expect((await readFile(`${file}.bin`)).length).toBeGreaterThan(56);
    await loadTrace(file, { cache: folder.path('cache') });
    expect(await readdir(folder.path('cache'))).toHaveLength(1);
    await writeFile(file, [HEADER, page(0, 0), step(0)].map((line) => JSON.stringify(line)).join('\n'));
    expect((await loadTrace(file)).needs).toHaveLength(0);
  });

  it('is no matter when its place cannot be written', async () => {
    const file = await folder.write('a.jsonl', [HEADER, page(0, 0), step(0, [0])]);
    const place = await folder.write('no-folder', 'a file');
    await chmod(place, 0o400);
    expect((await loadTrace(file, { cache: place })).needs).toHaveLength(1);
    expect((await loadTrace(file, { cache: false })).needs).toHaveLength(1);
    expect(await readdir(folder.path('.'))).toEqual(['a.jsonl', 'no-folder']);
  });
});

describe('a check of a trace', () => {
  const folder = useFolder();

  it('names several problems, and one gap once', async () => {
    const file = await folder.write('a.jsonl', [
      HEADER,
      page(3, 0),
      page(4, 0),
      { type: 'page' },
      step(0, [9]),
      step(5),
      step(6),
    ]);
    expect(await traceProblems(file)).toMatchObject(
      [
        /line 2, field id: the next page is 0, not 3/,
        /line 4, field id/,
        /line 5, field needs\.0\.id: page 9/,
        /line 6, field i: the next step is 1, not 5/,
      ].map((pattern) => expect.stringMatching(pattern) as string),
    );
    expect(await traceProblems(file, undefined, 2)).toHaveLength(2);
    expect(await traceProblems(await folder.write('b.jsonl', ''))).toHaveLength(1);
  });

  it('ranks on 200 needs of one kind, not on 199, and adds no kinds up', async () => {
    const needs = (count: number, why: string) => Array.from({ length: count }, () => ({ id: 0, why }));
    const trace = (...all: object[]) => collected(page(0, 0), { ...step(0), needs: all });
    expect(rankable(await trace(...needs(200, 'derived')))).toMatchObject({ rankable: true, fewest: 200 });
    expect(rankable(await trace(...needs(199, 'derived'), ...needs(150, 'annotated')))).toEqual({
      rankable: false,
      needs: { annotated: 150, 're-read': 0, derived: 199 },
      fewest: 200,
    });
  });

  it('has a schema for other languages that names each line and forbids other fields', () => {
    const text = JSON.stringify(traceSchema());
    for (const type of ['header', 'page', 'step', 'boundary', 'supersede', 'usage'])
      expect(text).toContain(`"const":"${type}"`);
    expect(text).toContain('"additionalProperties":false');
  });
});
