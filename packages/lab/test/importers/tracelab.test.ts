import { describe, expect, it } from 'vitest';
import { POLICIES } from '@pagefault/kernel';
import {
  detect,
  type PagingTrace,
  pageCount,
  sessionsOf,
  simulatePaging,
  stepCount,
  traceSource,
} from '../../src/index.js';
import { imported, told, traceOf, useFolder } from '../support/imports.js';
import { traceFile } from '../support/traces.js';

const call = (session: string, round: number, read: number, fresh: number, more: object = {}) => ({
  session_id: session,
  round_index: round,
  prefix_tokens: read,
  newly_append_tokens: fresh,
  output_tokens: 10,
  ...more,
});
const event = (type: string, second: number) => ({
  event_type: type,
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
});

describe('a file of TraceLab', () => {
  const folder = useFolder();
  const take = async (lines: readonly unknown[]) =>
    told((await imported('tracelab', await folder.write('x.jsonl', lines))).lines);

  it('has a step a call, whose input has grown by the reply before it and by what came in', async () => {
    const asked = { timing_events: [event('user_message', 1), event('text', 5)] };
    const split = { claude_uncached_input_tokens: 3, claude_cache_creation_input_tokens: 97 };
    expect(
      await take([
        call('a', 0, 2_000, 100, { ...asked, ...split }),
        call('a', 1, 2_100, 50, { timing_events: [event('tool_result', 9), event('usage_report', 12)] }),
      ]),
    ).toEqual([
      'system 2000',
      'user 100',
      'step at 0 needs nothing',
      'read 2000 wrote 97 plain 3 out 10',
      'assistant 10',
      'tool_result 40',
      'step at 8000 needs nothing',
      'read 2100 wrote 0 plain 50 out 10',
    ]);
  });

  it('keeps sessions apart whose calls stand among each other, in the order of their rounds', async () => {
    const lines = [call('a', 1, 0, 30), call('b', 0, 0, 7), call('a', 0, 0, 20)];
    expect((await take(lines)).filter((one) => !one.startsWith('read'))).toEqual([
      'system 0',
      'tool_result 20',
      'step at 0 needs nothing',
      'assistant 10',
      'tool_result 0',
      'step at 10000 needs nothing',
      'session_end',
      'system 0',
      'tool_result 7',
      'step at 3620000 needs nothing',
    ]);
  });

  it('begins a context anew where the input was compacted, and takes a little less as nothing that came in', async () => {
    const lines = [call('a', 0, 0, 1_000), call('a', 1, 900, 0), call('a', 2, 100, 300)];
    expect((await take(lines)).filter((one) => !/step|read/.test(one))).toEqual([
      'system 0',
      'tool_result 1000',
      'assistant 0',
      'tool_result 0',
      'compact',
      'session_end',
      'system 100',
      'tool_result 300',
    ]);
  });

  it('tells no needs, names the line that is wrong, and is empty where the file is', async () => {
    const file = await folder.write('y.jsonl', [
      call('a', 0, 1, 1),
      { ...call('a', 1, 1, 1), prefix_tokens: -1 },
    ]);
    await expect(imported('tracelab', file)).rejects.toThrow(/y\.jsonl, line 2, field prefix_tokens/);
    await expect(imported('tracelab', file, { needs: 'derived' })).rejects.toMatchObject({
      code: 'E_CONFIG',
      hint: 'it tells: none',
    });
    expect(await take([])).toEqual([]);
    expect(
      (await traceOf('tracelab', await folder.write('z.jsonl', [call('a', 0, 1, 1)]))).header.needKinds,
    ).toEqual([]);
  });
});

/** What the simulator says against what the provider said, but for the first call of the session, that found what others had sent. */
function compared(trace: PagingTrace, granule: number) {
  const { made } = simulatePaging(trace, POLICIES.fifo, {
    budget: 1_000_000,
    cache: { timeToLive: 300_000, least: 1_024, granule },
    eachStep: true,
  });
  const simulated = made.map(({ billed }, at) => ({
    read: billed.read - (made[at - 1]?.billed.read ?? 0),
    written: billed.written - (made[at - 1]?.billed.written ?? 0),
  }));
  const pairs = trace.usage
    .slice(1)
    .map((told, at) => ({ told, made: simulated[at + 1] ?? { read: 0, written: 0 } }));
  const sum = (of: (pair: (typeof pairs)[number]) => number) =>
    pairs.reduce((total, one) => total + of(one), 0);
  return {
    read: [sum(({ made: one }) => one.read), sum(({ told: one }) => one.read)],
    written: [sum(({ made: one }) => one.written), sum(({ told: one }) => one.write + one.plain)],
    each: pairs.map(({ told: one, made: ours }) => ours.read - one.read),
  };
}

describe('the cost model on TraceLab’s examples', () => {
  it.for(['derived', 'sanitized'])(
    '%s: how far it is from what the provider reported',
    async (name, { skip }) => {
      const file = traceFile(`llm/tracelab/${name}__round_trace.jsonl`, skip);
      expect(await detect(file)).toBe(traceSource('tracelab'));
      const trace = await traceOf('tracelab', file);
      expect([stepCount(trace), pageCount(trace)]).toEqual([19, 38]);
      const [claude, codex] = sessionsOf(trace);
      if (!claude || !codex) throw new Error('there are two sessions');
      // Each call of Claude finds all of the one before it but what stood behind the last breakpoint.
      expect(compared(claude, 1)).toEqual({
        read: [369_888, 366_851],
        written: [16_033, 19_070],
        each: [2_892, 2, 2, 2, 2, 2, 131, 2, 2],
      });
      // Codex's provider has no breakpoints, and misses what it might have had: most of the fourth prompt.
      expect(compared(codex, 128)).toEqual({
        read: [83_072, 72_576],
        written: [3_459, 13_919],
        each: [-384, 0, 6_528, -128, 1_152, -256, 1_152, 2_432],
      });
    },
  );
});
