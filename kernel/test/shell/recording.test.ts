import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InferRequest } from '@pagefault/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fifo, lru, type PagingPolicy, recordIntoFolder, recordToFile, rerun } from '../../src/index.js';
import { lineSink, recordedIn } from '../support/recording.js';
import {
  ask,
  hasResults,
  lastUser,
  type StackOptions,
  startKernel,
  startProcess,
  tell,
} from '../support/stack.js';
import { textOf } from '../support/words.js';

/** A model that searches, saves, fails now and then, and reports what it used. */
const lively: StackOptions['replies'] = (request, n) => {
  const usage = { plain: 900 + (n % 7) * 400, output: 20 };
  if (hasResults(request))
    return { calls: [{ name: 'send_message', arguments: { message: `answer ${n} ${textOf(30)}` } }], usage };
  if (n % 11 === 10) return { text: 'half an answ', broken: 'no-finish' };
  if (n % 4 === 1)
    return { ...(ask('conversation_search', { query: lastUser(request).slice(0, 12) }) as object), usage };
  if (n % 4 === 2) return ask('core_memory_append', { name: 'human', content: `note ${n}` });
  return tell(`answer ${n}`);
};

/** The requests that a recording gives when it is run again. */
async function requestsOf(lines: readonly string[]): Promise<InferRequest[]> {
  const requests: InferRequest[] = [];
  await rerun(lines, {
    onEffect: (effect) => {
      if (effect.type === 'infer' || effect.type === 'laid-out') requests.push(effect.request);
    },
  });
  return requests;
}

describe('a recording', () => {
  it.each([fifo, lru])(
    'of 200 turns with flushes re-runs to the same requests, byte for byte (invariant 6): %o',
    async (policy) => {
      const recording = lineSink();
      const sent: string[] = [];
      const { kernel, process } = await startProcess({
        policy,
        window: 3_500,
        replies: lively,
        record: recordedIn(recording),
        onRequest: (_, request) => void sent.push(JSON.stringify(request)),
      });
      const evicted: number[] = [];
      kernel.bus.on('page-evicted', ({ page }) => void evicted.push(page));
      for (let n = 0; n < 200; n++) await process.send(`${n} ${textOf(20 + ((n * 37) % 90))}`);
      await kernel.close();
      const report = await rerun(recording.lines);
      expect(report).toMatchObject({ requests: sent.length, equal: sent.length });
      expect(report.firstDifference).toBeUndefined();
      expect(report.flushes).toBeGreaterThanOrEqual(3);
      expect(report.evicted).toBe(evicted.length);
      expect((await requestsOf(recording.lines)).map((request) => JSON.stringify(request))).toEqual(sent);
    },
  );

  it('of a process that was opened again starts from what was stored', async () => {
    const first = await startProcess({ window: 3_500, replies: lively });
    for (let n = 0; n < 20; n++) await first.process.send(`${n} ${textOf(80)}`);
    await first.kernel.close();
    const recording = lineSink();
    const second = await startKernel({
      window: 3_500,
      replies: lively,
      recall: first.recall,
      record: recordedIn(recording),
    });
    const process = await second.kernel.open(first.process.pid);
    for (let n = 0; n < 20; n++) await process.send(`${n} ${textOf(80)}`);
    await second.kernel.close();
    const report = await rerun(recording.lines);
    expect(report.requests).toBeGreaterThan(20);
    expect(report.equal).toBe(report.requests);
  });

  it('of anything that may come re-runs to the same requests', async () => {
    const step = fc.record({
      text: fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
      times: fc.integer({ min: 1, max: 60 }),
      respond: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 3_500, max: 6_000 }),
        async (steps, window) => {
          const recording = lineSink();
          const { kernel, process } = await startProcess({
            window,
            replies: lively,
            record: recordedIn(recording),
          });
          for (const { text, times, respond } of steps) {
            const message = `x${text.repeat(times)}`;
            await (respond
              ? process.send(message)
              : process.append([{ text: message }, { text: `${message}!` }]));
          }
          await kernel.close();
          const report = await rerun(recording.lines);
          expect(report.equal).toBe(report.requests);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('that was changed says at which request it differs', async () => {
    const recording = lineSink();
    const { kernel, process } = await startProcess({ record: recordedIn(recording) });
    await process.send('first');
    await process.send('second');
    await kernel.close();
    const changed = recording.lines.map((line) => line.replace('answer to: first', 'answer to: FIRST'));
    expect(await rerun(changed)).toMatchObject({ requests: 2, equal: 1, firstDifference: 2 });
  });

  it('made before pages were told by their content re-runs as it did', async () => {
    const recording = lineSink();
    const { kernel, process } = await startProcess({
      record: recordedIn(recording),
      replies: lively,
      window: 3_500,
    });
    for (let n = 0; n < 30; n++) await process.send(`${n} ${textOf(80)}`);
    await kernel.close();
    const told = /,"(?:facts":\d+|(?:terms|focus|supersedes)":\[[^\]]*\]|failed":true)/g;
    const lines = recording.lines.map((line) =>
      line.startsWith('{"type":"observation"') ? line.replace(told, '') : line,
    );
    expect(lines.join()).not.toMatch(/"terms"|"focus"/);
    const report = await rerun(lines);
    expect(report.flushes).toBeGreaterThan(0);
    expect(report.equal).toBe(report.requests);
    expect(report).not.toHaveProperty('firstOtherEvent');
  });

  it('made under a policy that threw re-runs with that policy: it was left out from then on, and is again', async () => {
    const failing = (): PagingPolicy => {
      let asked = 0;
      const inner = lru();
      const victims: PagingPolicy['victims'] = (ask) => {
        if ((asked += 1) > 1) throw new Error('no idea');
        return inner.victims(ask);
      };
      return { ...inner, id: 'failing', victims };
    };
    const recording = lineSink();
    const { kernel, process } = await startProcess({
      policy: failing,
      record: recordedIn(recording),
      replies: lively,
      window: 3_500,
    });
    for (let n = 0; n < 40; n++) await process.send(`${n} ${textOf(80)}`);
    await kernel.close();
    const report = await rerun(recording.lines, { policies: [failing] });
    expect(report.flushes).toBeGreaterThan(2);
    expect(report.equal).toBe(report.requests);
    expect(report).not.toHaveProperty('firstOtherEvent');
    await expect(rerun(recording.lines)).rejects.toMatchObject({ code: 'E_CONFIG' });
  });

  it('that a kill tore is run up to its torn end, and says so', async () => {
    const recording = lineSink();
    const { kernel, process } = await startProcess({ record: recordedIn(recording) });
    await process.send('first');
    await kernel.close();
    const whole = recording.lines.join('\n');
    for (let cut = 1; cut < 2_000; cut += 37) {
      const lines = whole.slice(0, -cut).split('\n');
      expect(await rerun(lines)).not.toHaveProperty('firstDifference');
      expect(await rerun(lines)).not.toHaveProperty('firstOtherEvent');
    }
    expect(await rerun(whole.slice(0, -5).split('\n'))).toMatchObject({ torn: true });
    expect(await rerun(recording.lines)).toMatchObject({ torn: false });
  });

  it('of which a line was taken out says so, whichever it was of the turns', async () => {
    const recording = lineSink();
    const { kernel, process } = await startProcess({ record: recordedIn(recording) });
    await process.send('first');
    await process.send('second');
    await kernel.close();
    const last = recording.lines.findLastIndex((line) => line.startsWith('{"type":"event"'));
    const first = recording.lines.findIndex((line) => line.includes('"type":"interrupt"'));
    for (let taken = first; taken < last; taken++) {
      const report = await rerun(recording.lines.toSpliced(taken, 1));
      const told = report.firstDifference ?? report.firstOtherEvent;
      expect(told, recording.lines[taken]).toBeDefined();
    }
  });

  it('that is two in one file is refused where the second begins', async () => {
    const recording = lineSink();
    const { kernel, process } = await startProcess({ record: recordedIn(recording) });
    await process.send('first');
    await kernel.close();
    const { lines } = recording;
    await expect(rerun([...lines, ...lines])).rejects.toMatchObject({
      code: 'E_RECORDING',
      message: expect.stringMatching(`line ${lines.length + 1} .*second recording`),
    });
  });

  it.each([
    ['', /is empty/],
    ['{', /line 1 .*not JSON/],
    ['{"type":"evnt"}', /its type is "evnt"/],
    ['{"type":"event","event":{"type":"cancelled","at":1}}', /no header/],
    ['{"type":"header","version":99}', /version 99/],
    ['null', /line 1/],
  ])('that is none is an error that names the line: %s', async (line, message) => {
    await expect(rerun([line])).rejects.toMatchObject({
      code: 'E_RECORDING',
      message: expect.stringMatching(message),
    });
  });
});

describe('a recording in a file', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'pagefault-recording-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is whole when the kernel has closed', async () => {
    const path = join(folder, 'run.jsonl');
    const { kernel, process } = await startProcess({ record: recordedIn(recordToFile(path)) });
    for (let n = 0; n < 5; n++) await process.send(`message ${n}`);
    await kernel.close();
    const lines = (await readFile(path, 'utf8')).split('\n');
    expect(await rerun(lines)).toMatchObject({ requests: 5, equal: 5 });
  });

  it('that cannot be written is told at the close, and the turn is not harmed', async () => {
    const { kernel, process } = await startProcess({
      record: recordedIn(recordToFile(join(folder, 'no', 'such', 'folder'))),
    });
    expect((await process.send('hello')).outcome).toBe('answered');
    await expect(kernel.close()).rejects.toThrow('ENOENT');
  });

  it('is a new one for each attachment, and goes with all others of its process and no other', async () => {
    const place = join(folder, 'all');
    await mkdir(place);
    const store = recordIntoFolder(place);
    const { kernel, process } = await startProcess({ record: store });
    const other = await kernel.spawn();
    await kernel.passivate();
    await process.send('hello');
    await kernel.close();
    expect(await readdir(place)).toHaveLength(3);
    expect(await store.erase(process.pid)).toHaveLength(2);
    expect(await store.erase(process.pid)).toEqual([]);
    expect(await readdir(place)).toEqual([expect.stringContaining(other.pid)]);
  });
});
