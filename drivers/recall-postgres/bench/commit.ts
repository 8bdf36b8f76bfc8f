// How long one commit of a usual step takes on the embedded store, on disk and synced. Run: npx tsx bench/commit.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPgliteSql } from '@pagefault/driver-pglite';
import { createPostgresRecall } from '../src/index.js';

const STEPS = 3_000;
const PID = '01931c5e-8a00-7000-8000-00000000000a';
const WORDS = Array.from({ length: 400 }, (_, i) => `word${i}`);

const dataDir = mkdtempSync(join(tmpdir(), 'pagefault-bench-'));
const sql = createPgliteSql({ dataDir });
const recall = createPostgresRecall({ sql });
const times: number[] = [];
try {
  await recall.open();
  for (let seq = 1; seq <= STEPS; seq += 1) times.push(await timed(() => step(seq)));
  report('commit', times);
  const line = [{ pid: PID, upTo: STEPS }];
  for (const [name, work] of Object.entries({
    'read last 20': () => recall.read(line, { order: 'descending', limit: 20 }),
    'read all': () => recall.read(line, { limit: 10_000 }),
    'postings of 5 common terms': () => recall.postings(line, 'messages', WORDS.slice(0, 5)),
    load: () => recall.load(PID, ['state']),
  })) {
    const samples: number[] = [];
    for (let i = 0; i < 20; i += 1) samples.push(await timed(work));
    report(name, samples);
  }
} finally {
  await recall.close();
  await sql.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function step(seq: number): Promise<void> {
  const terms = Array.from({ length: 25 }, (_, i) => [WORDS[(seq * 7 + i * i) % 400] ?? '', 1] as const);
  return recall.commit({
    pid: PID,
    appends: [
      {
        seq,
        page: seq,
        message: { id: `m${seq}`, role: 'user', at: seq, parts: [{ type: 'text', text: 'x'.repeat(300) }] },
      },
    ],
    puts: [{ space: 'state', key: 'process', value: { residents: 'y'.repeat(6_000), seq } }],
    expect: [{ space: 'state', key: 'process', version: seq - 1 }],
    documents: [
      {
        collection: 'messages',
        ordinal: seq - 1,
        seq,
        ref: `m${seq}`,
        session: '',
        speaker: '',
        at: seq,
        length: 25,
        terms: [...new Map(terms)],
      },
    ],
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function report(name: string, samples: readonly number[]): void {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2);
  console.log(`${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
}
