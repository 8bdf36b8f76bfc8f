import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { LATEST, type LogEntry, type RecallDriver } from '@pagefault/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileRecall } from '../src/driver.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);
const COMMAND = at('../../../packages/conformance/bin/pagefault-conform.mjs');

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'pagefault-files-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** From the sources, in an operating-system process of its own. */
function program(...args: readonly string[]) {
  return run(process.execPath, ['--conditions=source', '--import', import.meta.resolve('tsx'), ...args]);
}

it('passes the whole suite by the command of the README', async () => {
  const { stdout } = await program(COMMAND, at('initializer.ts'));
  expect(stdout).toMatch(/\n\d{2} passed, 0 failed, 0 skipped in/);
});

it('is a driver in fewer than 150 lines', async () => {
  const files = ['driver', 'journal', 'request'].map((name) => readFile(at(`../src/${name}.ts`), 'utf8'));
  expect((await Promise.all(files)).join('').split('\n').length).toBeLessThan(150);
});

it('carries a conversation from one start to the next', async () => {
  await program(at('../src/talk.ts'), folder, 'My name is Ada and I breed alpacas in Cork.');
  const { stdout } = await program(at('../src/talk.ts'), folder, 'What do I breed, and where?');
  expect(stdout).toContain('alpacas in Cork');
});

const pid = '01931c5e-8a00-7000-8000-00000000000a';
const journal = (): string => join(folder, 'journal.jsonl');

function entry(seq: number, text: string): LogEntry {
  return { seq, page: seq, message: { id: `m${seq}`, role: 'user', parts: [{ type: 'text', text }], at: 0 } };
}

async function opened<T>(work: (driver: RecallDriver) => Promise<T>): Promise<T> {
  const driver = createFileRecall({ folder });
  await driver.open();
  try {
    return await work(driver);
  } finally {
    await driver.close();
  }
}

const textsOf = (driver: RecallDriver) =>
  driver
    .read([{ pid, upTo: LATEST }], { limit: 9 })
    .then(({ items }) =>
      items.map(({ message }) => message.parts.map((part) => 'text' in part && part.text)),
    );

describe('after a crash', () => {
  beforeEach(() => opened((driver) => driver.commit({ pid, appends: [entry(1, 'one')] })));

  it('has what was acknowledged, and not the line that was cut off', async () => {
    const [line = ''] = (await readFile(journal(), 'utf8')).split('\n');
    await appendFile(journal(), line.replace('"m1"', '"m2"').slice(0, -9));
    expect(await opened(textsOf)).toEqual([['one']]);
    await opened((driver) => driver.commit({ pid, appends: [entry(2, 'two')] }));
    expect(await opened(textsOf)).toEqual([['one'], ['two']]);
  });

  it('forgets a request that was refused but not yet taken back', async () => {
    const before = await readFile(journal(), 'utf8');
    await appendFile(journal(), before);
    expect(await opened(textsOf)).toEqual([['one']]);
    expect(await readFile(journal(), 'utf8')).toBe(before);
  });

  it('keeps leases as they were granted', async () => {
    const first = await opened((driver) => driver.acquireLease(pid, 'kernel-1', 3_600_000));
    await opened(async (driver) => {
      expect(await driver.acquireLease(pid, 'kernel-2', 1)).toBeUndefined();
      expect((await driver.acquireLease(pid, 'kernel-1', 1))?.fence).toBe(first?.fence);
    });
  });
});

it('has no word of an erased message in its file, also when a crash came before it was rewritten', async () => {
  const erase = { op: 'erase', at: 0, scope: { pid, seqs: [2] } };
  await opened((driver) => driver.commit({ pid, appends: [entry(1, 'one'), entry(2, 'secret')] }));
  const before = await readFile(journal(), 'utf8');
  await opened((driver) => driver.erase(erase.scope));
  expect(await readFile(journal(), 'utf8')).not.toContain('secret');
  await writeFile(journal(), `${before}${JSON.stringify(erase)}\n`);
  expect(await opened(textsOf)).toEqual([['one']]);
  expect(await readFile(journal(), 'utf8')).not.toContain('secret');
});

it('tells of a file that it cannot read or use', async () => {
  await writeFile(journal(), 'nonsense\n');
  await expect(opened(textsOf)).rejects.toMatchObject({ code: 'E_STORAGE', driver: 'files' });
  const driver = createFileRecall({ folder: journal() });
  await expect(driver.open()).rejects.toMatchObject({ code: 'E_STORAGE' });
});
