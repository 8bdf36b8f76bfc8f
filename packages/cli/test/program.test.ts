import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

// One home for all: the seed of the embedded store is made once and kept there.
let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pagefault-home-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output or error has the text. */
  shows(text: string): Promise<void>;
}

/** The real program, as it was built, in an empty folder, without anybody's settings. */
function launch(args: readonly string[]): Running {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  // Each runs for seconds: optimising the database's WebAssembly would take longer than all that is asked of it.
  const child = spawn(process.execPath, ['--liftoff-only', MAIN, ...args], { cwd: folder, env });
  const shown = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      shown[name] += text;
      child.emit('shown');
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...shown }));
  });
  const shows = async (text: string) => {
    const early = ended.then(({ stderr }) =>
      Promise.reject(new Error(`it ended without "${text}": ${stderr}`)),
    );
    early.catch(() => undefined);
    while (!`${shown.stdout}${shown.stderr}`.includes(text))
      await Promise.race([once(child, 'shown'), early]);
  };
  return { child, ended, shows };
}

function pagefault(args: readonly string[], input = ''): Promise<Ended> {
  const { child, ended } = launch(args);
  child.stdin.end(input);
  return ended;
}

function config(content: object): string {
  const path = join(folder, 'pagefault.config.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

// Each starts the program several times; on a busy machine that takes a while.
describe('the program', { timeout: 180_000 }, () => {
  it('talks, remembers in a second run, and is looked into, on the embedded store', async () => {
    config({ embedder: 'none', archival: 'none' });
    const first = await pagefault(['chat'], 'My name is Ada and I breed alpacas in Cork.\n');
    expect(first).toMatchObject({ code: 0 });
    const second = await pagefault(['chat'], 'What do I breed, and where?\n');
    expect(second.stdout).toMatch(/alpacas in Cork/);
    expect(second.stderr).toMatch(/^processor: reflex .* memory: \.pagefault\n$/);
    const { stdout } = await pagefault(['ps', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'default', running: false }]);
  });

  it('explains a slip of the pen in the configuration', async () => {
    const path = config({ windwo: 4096 });
    const { code, stdout, stderr } = await pagefault(['chat', '--config', path], 'hello\n');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/error\[E_CONFIG\]: .*windwo.*did you mean "window"\?/);
  });

  it('is looked into while it runs; whoever wants its memory is told who has it', async () => {
    config({ embedder: 'none', archival: 'none' });
    const chat = launch(['chat']);
    await chat.shows('memory: .pagefault');
    chat.child.stdin.write('My name is Ada.\n');
    await chat.shows('Ada');
    const [ps, ask] = await Promise.all([pagefault(['ps', '--json']), pagefault(['ask', 'hello'])]);
    expect(JSON.parse(ps.stdout)).toMatchObject([{ name: 'default', running: true }]);
    expect(ask).toMatchObject({ code: 1, stdout: '' });
    expect(ask.stderr).toContain('error[E_DATA_DIR_LOCKED]');
    expect(ask.stderr).toContain(`process ${chat.child.pid}`);
    chat.child.stdin.end();
    expect(await chat.ended).toMatchObject({ code: 0 });
  });

  it('goes on with a feed that was killed: nothing acknowledged is lost, nothing is doubled', async () => {
    config({ embedder: 'none', archival: 'none', window: 4096 });
    const lines = Array.from({ length: 400 }, (_, at) => ({
      role: 'user',
      text: `message ${at} of the feed`,
    }));
    writeFileSync(join(folder, 'talk.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const feed = launch(['feed', 'talk.jsonl', '--ack']);
    await feed.shows('talk/64');
    feed.child.kill('SIGKILL');
    const { stdout: acks } = await feed.ended;
    const acknowledged = (acks.match(/"type":"ack"/g) ?? []).length * 32;
    const again = await pagefault(['feed', 'talk.jsonl', '--json']);
    const [fed] = (JSON.parse(again.stdout) as { conversations: Record<string, number>[] }).conversations;
    expect(fed).toMatchObject({ messages: 400, appended: 400 - (fed?.['skipped'] ?? 0) });
    expect(fed?.['skipped']).toBeGreaterThanOrEqual(acknowledged);
    expect(fed?.['skipped']).toBeLessThan(400);
  });
});
