import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { POLICIES, type PolicyName, type RecordingLine, rerun } from '@pagefault/kernel';
import { compare } from '@pagefault/lab';
import { describe, expect, it, vi } from 'vitest';
import { runCli } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { live, recordings } from './support/life.js';

// Other operating-system processes and real stores: slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const folder = temporaryFolder();
const NAMES = Object.keys(POLICIES) as PolicyName[];

function needsIn(lines: readonly string[]): { faults: number; needs: number } {
  const observations = lines
    .filter((text) => text !== '')
    .flatMap((text) => {
      const line = JSON.parse(text) as RecordingLine;
      return line.type === 'observation' && line.observation.name === 'page-needed' ? [line.observation] : [];
    });
  return { needs: observations.length, faults: observations.filter(({ fault }) => fault).length };
}

/** How many requests it holds; fails unless all of them come out again byte for byte. */
async function rerunAll(lines: readonly string[]) {
  const report = await rerun(lines);
  expect(report.firstDifference).toBeUndefined();
  expect(report.equal).toBe(report.requests);
  return report;
}

describe.each(NAMES)('a life recorded from its middle under %s', (policy) => {
  it('re-runs, and replays in the lab, with what the policy knew of the life before', async () => {
    const recall = createMemoryRecall();
    await live({ recall, policy, from: 0, to: 30 });
    const lines = await live({ recall, policy, from: 30, to: 80 });
    const report = await rerunAll(lines);
    expect(report.flushes).toBeGreaterThanOrEqual(2);
    const { replays } = await compare(lines, [policy]);
    expect(replays[0]?.evictions).toHaveLength(report.evicted);
    expect(replays[0]).toMatchObject({ policy, sameAsRecorded: true });
  });
});

const countOf = (lines: readonly string[], name: string) =>
  lines.filter((line) => line.includes(`{"type":"observation","observation":{"name":"${name}"`)).length;

describe.each(NAMES)('a life with pauses and long messages under %s', (policy) => {
  it('evicts the same pages at the same steps in the lab: at flushes, in the background, and stubs among them', async () => {
    const life = { recall: createMemoryRecall(), policy, from: 0, to: 90, pauseEvery: 13, long: true };
    const each = await recordings(life);
    expect(each.length).toBeGreaterThan(5);
    let [background, summaries, stubs] = [0, 0, 0];
    for (const lines of each) {
      const report = await rerunAll(lines);
      const { replays } = await compare(lines, [policy]);
      expect(replays[0]).toMatchObject({ policy, sameAsRecorded: true });
      expect(replays[0]?.evictions).toHaveLength(report.evicted);
      // A flush after the last turn is one that nobody waits for.
      const last = lines.findLastIndex((line) => line.includes('"name":"turn-ended"'));
      background += countOf(lines.slice(last), 'flush-finished');
      summaries += countOf(lines, 'flush-finished');
      stubs += countOf(lines, 'page-stubbed');
    }
    expect(background).toBeGreaterThan(1);
    expect(summaries).toBeGreaterThan(background);
    expect(stubs).toBeGreaterThan(2);
  });
});

/** One that keeps nothing but an order, one that learns from faults, one that names more than it was asked for. */
describe.each(['fifo', 'lru', 'arc', 'batch-prefix'] as const)('a recorded life under %s', (policy) => {
  it('of 200 turns and at least three flushes re-runs to the same requests (invariant 6)', async () => {
    const lines = await live({ recall: createMemoryRecall(), policy, from: 0, to: 200 });
    const report = await rerunAll(lines);
    expect(report.requests).toBeGreaterThanOrEqual(200);
    expect(report.flushes).toBeGreaterThanOrEqual(3);
    const { needs, faults } = needsIn(lines);
    expect(needs).toBeGreaterThan(20);
    expect(faults).toBeGreaterThan(5);

    const { recorded, replays } = await compare(lines, [policy]);
    expect(recorded).toMatchObject({ policy });
    expect(recorded.evictions).toHaveLength(report.evicted);
    expect(replays[0]).toMatchObject({ policy, sameAsRecorded: true, needs, faults });
  });

  it('re-runs from the middle also into a smaller window, where more is evicted at once', async () => {
    const recall = createMemoryRecall();
    await live({ recall, policy, from: 0, to: 60, window: 8_192 });
    const lines = await live({ recall, policy, from: 60, to: 120 });
    await rerunAll(lines);
    expect((await compare(lines, [policy])).replays[0]).toMatchObject({ sameAsRecorded: true });
  });
});

describe('a recording on disk', () => {
  it('is made by --record and run again by `pagefault rerun`, and a changed one is told', async () => {
    const config = { recall: 'memory', archival: 'none', embedder: 'none', processor: 'reflex' };
    writeFileSync(join(folder, 'pagefault.config.json'), JSON.stringify(config));
    const records = join(folder, 'records');
    const said = Array.from({ length: 200 }, (_, n) => `My llama ${n} lives in stall ${n * 7} of Cork.`);
    const input = `${[...said, 'Where does my llama 3 live?'].join('\n')}\n`;
    const chat = await runCli(['chat', '--record', records, '--window', '4096'], { cwd: folder, input });
    expect(chat).toMatchObject({ status: 0 });
    const [name = ''] = readdirSync(records);
    const again = await runCli(['rerun', join(records, name), '--json'], { cwd: folder });
    expect(again).toMatchObject({ status: 0, stderr: '' });
    const report = JSON.parse(again.stdout) as { requests: number; equal: number; flushes: number };
    expect(report.requests).toBeGreaterThanOrEqual(200);
    expect(report.equal).toBe(report.requests);
    expect(report.flushes).toBeGreaterThanOrEqual(3);

    const lab = await runCli(['lab', 'replay', join(records, name)], { cwd: folder });
    expect(lab).toMatchObject({ status: 0, stderr: '' });

    const changed = readFileSync(join(records, name), 'utf8').replace('My llama 7 lives', 'My llama 7 is');
    writeFileSync(join(records, 'changed.jsonl'), changed);
    const differs = await runCli(['rerun', join(records, 'changed.jsonl')], { cwd: folder });
    expect(differs).toMatchObject({ status: 1, stderr: expect.stringMatching(/request \d+ is the first/) });
  });

  it('that is garbage is refused with its line and what to do', async () => {
    mkdirSync(join(folder, 'bad'), { recursive: true });
    const cases = { text: 'hello\n', json: '{"a":1}\n', empty: '', binary: '\u0000\u0001\u00ff\n' };
    for (const [name, content] of Object.entries(cases)) {
      writeFileSync(join(folder, 'bad', name), content);
    }
    const refused = async (name: string): Promise<void> => {
      const { status, stderr } = await runCli(['rerun', join('bad', name)], { cwd: folder });
      expect({ name, status }).toEqual({ name, status: 1 });
      expect(stderr).toMatch(name === 'empty' ? /the recording is empty/ : /E_RECORDING.*line 1/);
      expect(stderr).not.toMatch(/^\s+at /m);
    };
    await Promise.all(Object.keys(cases).map(refused));
  });
});
