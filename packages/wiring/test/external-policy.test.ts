import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageView } from '@pagefault/contracts';
import { type PagingPolicy, rerun } from '@pagefault/kernel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ExternalPolicy,
  externalPolicy,
  type ExternalPolicyOptions,
  loadPolicy,
  start,
} from '../src/index.js';
import { readCommand } from '../src/external-policy/index.js';

vi.setConfig({ testTimeout: 60_000 });

const program = fileURLToPath(new URL('children/policy.mjs', import.meta.url));
let folder: string;
let made: ExternalPolicy[];
let notes: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault-external-'));
  [made, notes] = [[], []];
});
afterEach(async () => {
  await Promise.all(made.map((one) => one.close()));
  rmSync(folder, { recursive: true });
});

function external(mode: string, options: ExternalPolicyOptions = {}, file = ''): ExternalPolicy {
  const command = `exec:"${process.execPath}" "${program}" ${mode} ${file && `"${file}"`}`;
  const one = externalPolicy(command, { onNote: (line) => void notes.push(line), ...options });
  made.push(one);
  return one;
}

const page = (id: number, tokens = 10): PageView => ({ id, kind: 'user', tokens, firstSeq: id, lastSeq: id });
const ask = (policy: PagingPolicy, release: number, not: readonly number[] = []) =>
  policy.victims({ release, isEligible: (id) => !not.includes(id), step: 1 });

/** Lives no more, or has not been there: it is asked again and again, for the kill is not ours to wait for. */
async function isGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
}
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody waits for is gone too.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
const pidIn = (file: string) => Number(readFileSync(file, 'utf8').trim().split('\n')[0]);

describe('a policy that is a program', () => {
  it('is told of everything in order, and asked for victims, for each queue apart', () => {
    const file = join(folder, 'told');
    const make = external('fifo', {}, file);
    const [one, two] = [make(), make()];
    expect({ id: one.id, version: one.version }).toEqual({ id: 'mine-fifo', version: 7 });
    one.configure({ capacity: 100, unit: 'tokens' });
    for (const id of [1, 2, 3]) one.onBirth(page(id));
    two.onBirth(page(1, 70));
    one.onNeed([{ id: 2, why: 'page-in' }], 4);
    expect(ask(one, 15)).toEqual([1, 2]);
    one.onResidency(1, 'evicted', 'reclaim');
    one.onBoundary?.('flush');
    expect(ask(one, 15, [2])).toEqual([3]);
    expect(ask(two, 1)).toEqual([1]);
    const told = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(told[0]).toEqual({ type: 'hello', protocol: 1 });
    expect(told[1]).toEqual({ of: 1, type: 'configure', capacity: 100, unit: 'tokens' });
    expect(told).toContainEqual({ of: 1, type: 'need', needs: [{ id: 2, why: 'page-in' }], step: 4 });
    expect(told).toContainEqual({ of: 1, type: 'victims', release: 15, eligible: [3], sizes: [10], step: 1 });
    const types = told.map((line) => ('type' in line ? line.type : ''));
    expect(types.join(' ')).toBe(
      'hello configure birth birth birth birth need victims residency boundary victims victims',
    );
  });

  it('keeps what it knows over a snapshot, if that fits', () => {
    const make = external('fifo');
    const one = make();
    one.onBirth(page(1));
    const bytes = one.snapshot(1_000);
    expect(one.snapshot(3)).toHaveLength(0);
    const other = make();
    expect(other.restore(bytes, 7)).toBe(true);
    expect(other.restore(new Uint8Array(), 7)).toBe(false);
  });

  it('passes on what it says on standard error', async () => {
    const make = external('notes');
    const policy = make();
    policy.onBirth(page(1));
    ask(policy, 1);
    await make.close();
    expect(notes).toEqual(['asked']);
  });

  it('is quick enough for births by the thousand', () => {
    const policy = external('fifo')();
    for (let id = 1; id <= 30_000; id++) policy.onBirth(page(id, 1));
    expect(ask(policy, 2)).toEqual([1, 2]);
  });

  it.each([
    ['exec:', /there is no command/],
    ['exec:  ', /there is no command/],
    ['exec:python3 "my policy.py', /a quote does not end/],
  ])('has a command; %j is none', (command, message) => {
    expect(() => readCommand(command)).toThrow(message);
  });

  it('has blanks in a word by quotes, and no shell', () => {
    expect(readCommand(`exec:python3 'my policy.py' --x="a b" $HOME`)).toEqual({
      file: 'python3',
      args: ['my policy.py', '--x=a b', '$HOME'],
    });
  });
});

describe('a program that misbehaves', () => {
  const cases: readonly (readonly [string, string, RegExp, string])[] = [
    ['answers no JSON', 'rubbish', /answer 1 is "hello to you": it is no such object/, 'E_PROTOCOL'],
    ['has no name', 'no-id', /answer 1 is .*: id: /, 'E_PROTOCOL'],
    ['says more than it was asked', 'talkative', /answer 1 is "starting…"/, 'E_PROTOCOL'],
    ['ends at once', 'dies-at-once', /it ended with code 3 after 0 answers/, 'E_PROTOCOL'],
    [
      'dies',
      'dies',
      /it ended with code 1 after 1 answers; it said last: "Traceback: out of ideas"/,
      'E_PROTOCOL',
    ],
    ['answers something else', 'no-victims', /answer 2 is .*: victims: /, 'E_PROTOCOL'],
    [
      'names pages that are not there',
      'strangers',
      /answer 2 names page 4711, which is not resident/,
      'E_PROTOCOL',
    ],
    ['does not answer', 'silent', /it did not answer `victims` within 900 ms, and was ended/, 'E_TIMEOUT'],
    ['hangs', 'hangs', /it did not answer `victims` within 900 ms, and was ended/, 'E_TIMEOUT'],
  ];

  it.each(cases)('that %s is told with what it said, and stays failed', (_, mode, message, code) => {
    const make = external(mode, { answerMs: 900 });
    const work = () => {
      const policy = make();
      policy.onBirth(page(1));
      return ask(policy, 1);
    };
    expect(work).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
    );
    expect(work).toThrow(expect.objectContaining({ code }));
  });

  it('that is not there is told with its command', () => {
    const make = externalPolicy('exec:no-such-program --x');
    made.push(make);
    expect(() => make()).toThrow(
      expect.objectContaining({
        code: 'E_CONFIG',
        message: expect.stringMatching(
          /policy "no-such-program --x": it cannot be started: .*ENOENT/,
        ) as string,
      }),
    );
  });

  it('is started anew for the next policy, and the one before stays failed', () => {
    const make = external('dies');
    const [one, two] = [make(), make()];
    one.onBirth(page(1));
    expect(() => ask(one, 1)).toThrow(/ended with code 1/);
    expect(() => two.onBirth(page(1))).toThrow(/ended with code 1/);
    const three = make();
    three.onBirth(page(1));
    expect(three.snapshot(1_000)).toHaveLength(8);
  });
});

describe('nothing is left running', () => {
  const modes = ['silent', 'deaf', 'hangs'] as const;

  it.each(modes)('after close, with a program that is %s', async (mode) => {
    const file = join(folder, 'pid');
    const make = external(mode, { answerMs: 300 }, file);
    const policy = make();
    policy.onBirth(page(1));
    if (mode !== 'silent') expect(() => ask(policy, 1)).toThrow(/did not answer/);
    await make.close();
    await isGone(pidIn(file));
    expect(() => policy.onBirth(page(2))).toThrow();
  });

  it.each([
    ['is killed', "process.kill(process.pid, 'SIGKILL');"],
    ['fails', "throw new Error('no luck');"],
    ['ends without closing', ''],
  ])('when the program that asks %s, also while the policy hangs', async (_, end) => {
    const file = join(folder, 'pid');
    const script = join(folder, 'parent.ts');
    const index = fileURLToPath(new URL('../src/external-policy/factory.ts', import.meta.url));
    writeFileSync(
      script,
      `import { readFileSync } from 'node:fs';
      import { externalPolicy } from ${JSON.stringify(index)};
      const make = externalPolicy('exec:"${process.execPath}" "${program}" hangs "${file}"', { answerMs: 60_000 });
      make().onBirth({ id: 1, kind: 'user', tokens: 1, firstSeq: 1, lastSeq: 1 });
      // The question goes out, and nobody waits for the answer.
      Atomics.wait = () => {
        if (!readFileSync(${JSON.stringify(file)}, 'utf8').includes('asked')) return 'ok';
        ${end || 'process.exit(0);'}
      };

      const policy = make();
      policy.victims({ release: 1, isEligible: () => true, step: 0 });`,
    );
    spawnSync(process.execPath, ['--conditions=source', '--import', 'tsx', script], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      encoding: 'utf8',
    });
    await isGone(pidIn(file));
  });
});

describe('in a stack', () => {
  const settings = (policy: string) => ({
    recall: 'memory',
    archival: 'none',
    embedder: 'none',
    processor: 'reflex',
    policy,
    window: 4_096,
    record: './records',
  });
  const live = async (policy: string) => {
    writeFileSync(join(folder, 'pagefault.config.json'), JSON.stringify(settings(policy)));
    const machine = await start({ cwd: folder, env: {} });
    const agent = await machine.kernel.spawn({ name: 'ada' });
    const evicted: number[] = [];
    const failures: string[] = [];
    machine.kernel.bus.on('policy-failed', ({ error }) => failures.push(String(error)));
    machine.kernel.bus.on('reclaim', ({ victims }) => evicted.push(...victims));
    await agent.append(Array.from({ length: 150 }, (_, n) => ({ text: `Filler ${n}: rain again in Cork.` })));
    const { outcome } = await agent.send('Where does it rain?');
    await machine.close();
    return { evicted, outcome, failures };
  };

  it('it evicts what the same policy in process does, from the folder of the file that names it', async () => {
    writeFileSync(join(folder, 'policy.mjs'), readFileSync(program));
    const { evicted, outcome } = await live(`exec:"${process.execPath}" policy.mjs`);
    expect(outcome).toBe('answered');
    expect(evicted.length).toBeGreaterThan(20);
    expect(evicted).toEqual((await live('fifo')).evicted);
  });

  it('that dies is left out with a warning, and the oldest pages go', async () => {
    const { evicted, outcome, failures } = await live(`exec:"${process.execPath}" "${program}" dies`);
    expect(outcome).toBe('answered');
    expect(failures).toEqual([expect.stringMatching(/ended with code 1/)]);
    expect(evicted).toEqual((await live('fifo')).evicted);
  });

  it('that cannot be started keeps the machine from starting, with the reason', async () => {
    await expect(live('exec:no-such-program')).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('no-such-program') as string,
    });
  });

  it('a recording under it runs again under it', async () => {
    const store = await loadPolicy(`exec:"${process.execPath}" "${program}"`);
    await live(`exec:"${process.execPath}" "${program}"`);
    const records = join(folder, 'records');
    const [name = ''] = readdirSync(records);
    const lines = readFileSync(join(records, name), 'utf8').split('\n');
    const report = await rerun(lines, { policies: [store] });
    expect(report).not.toHaveProperty('firstOtherEvent');
    expect(report.equal).toBe(report.requests);
    await store.close?.();
  });
});
