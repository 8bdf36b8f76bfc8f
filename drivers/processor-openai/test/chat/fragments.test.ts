import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallFragment } from '../../src/chat/slots.js';
import { createAssembly } from '../../src/chat/stream.js';

interface Written {
  readonly name: string;
  readonly json: string;
  /** Lengths of the pieces in which the arguments come. */
  readonly cuts: readonly number[];
}

const written: fc.Arbitrary<Written> = fc.record({
  name: fc.constantFrom('look', 'wait', 'send_message'),
  json: fc
    .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
    .map((value) => JSON.stringify(value)),
  cuts: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 5 }),
});

function pieces({ json, cuts }: Written): string[] {
  const ends = cuts.map((_cut, at) => cuts.slice(0, at + 1).reduce((sum, cut) => sum + cut, 0));
  const all = [0, ...ends, json.length].map((end) => Math.min(end, json.length));
  return all.slice(1).map((end, at) => json.slice(all[at], end));
}

/** How a server labels the fragments of the call at `place`; `isHead` for the one that carries the name. */
type Labels = (place: number, isHead: boolean) => Pick<CallFragment, 'index' | 'id'>;

const SERVERS: Record<string, Labels> = {
  'as OpenAI does': (place, isHead) => ({ index: place, ...(isHead ? { id: `call_${place}` } : {}) }),
  'from index 1 (A25)': (place, isHead) => ({ index: place + 1, ...(isHead ? { id: `call_${place}` } : {}) }),
  'all with index 0 (A24)': (place, isHead) => ({ index: 0, ...(isHead ? { id: `call_${place}` } : {}) }),
  'without index (A26)': (place, isHead) => (isHead ? { id: `call_${place}` } : {}),
  'with the id in the second fragment (A26)': (place, isHead) => ({
    index: place,
    ...(isHead ? {} : { id: `call_${place}` }),
  }),
  'with the id in every fragment, all with index 0': (place) => ({ index: 0, id: `call_${place}` }),
  'without any id (A19)': (place) => ({ index: place }),
  'with one id for all (A24)': (place) => ({ index: place, id: 'call_0' }),
};

function read(fragments: readonly CallFragment[]): string[] {
  const assembly = createAssembly(() => 'id');
  for (const fragment of fragments) assembly.push({ choices: [{ delta: { tool_calls: [fragment] } }] });
  assembly.push({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] });
  return (assembly.reply()?.parts ?? []).map((part) =>
    part.type === 'call' ? part.name + part.arguments : '?',
  );
}

function fragmentsOf(calls: readonly Written[], labels: Labels): CallFragment[][] {
  return calls.map((call, place) => [
    { ...labels(place, true), function: { name: call.name, arguments: '' } },
    ...pieces(call).map((piece) => ({ ...labels(place, false), function: { arguments: piece } })),
  ]);
}

describe('parallel calls are put together whatever their arguments and wherever they are cut', () => {
  it.each(Object.entries(SERVERS))('one after the other, labelled %s', (_title, labels) => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 4 }), (calls) => {
        const expected = calls.map(({ name, json }) => name + json);
        expect(read(fragmentsOf(calls, labels).flat())).toEqual(expected);
      }),
    );
  });

  it.each(['as OpenAI does', 'from index 1 (A25)', 'without any id (A19)'])(
    'interleaved, labelled %s',
    (server) => {
      const labels = SERVERS[server] as Labels;
      const order = fc.infiniteStream(fc.nat({ max: 3 }));
      fc.assert(
        fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), order, (calls, turns) => {
          const queues = fragmentsOf(calls, labels);
          // Heads come in order; what follows them comes in any.
          const sent = queues.map((queue) => queue.shift() as CallFragment);
          while (queues.some((queue) => queue.length > 0)) {
            const next = queues[Number(turns.next().value) % queues.length]?.shift();
            if (next !== undefined) sent.push(next);
          }
          expect(read(sent)).toEqual(calls.map(({ name, json }) => name + json));
        }),
      );
    },
  );
});
