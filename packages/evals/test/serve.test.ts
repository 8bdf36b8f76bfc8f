import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Child, runCli, startCli } from './support/child.js';
import { temporaryFolder } from './support/folder.js';

const folder = temporaryFolder();
const config = { archival: 'none', embedder: 'none', processor: 'reflex' };
const cwd = { cwd: folder };

interface Line {
  readonly name: string;
  readonly kind: string;
  readonly interruptId: string;
}

function serve(): Child {
  return startCli(['serve', '--json'], cwd);
}

async function nextTurn(child: Child): Promise<Line> {
  const { value, done } = await child.lines.next();
  if (done) throw new Error('the server has ended');
  return JSON.parse(value) as Line;
}

async function set(...args: readonly string[]): Promise<void> {
  const { status, stderr } = await runCli(['timer', 'set', ...args, '--process', 'ada'], cwd);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

describe('a server on an embedded store', () => {
  it('takes timers that are set beside it, ends at SIGTERM, and goes on after SIGKILL (C27, C28, C29)', async () => {
    writeFileSync(join(folder, 'pagefault.config.json'), JSON.stringify(config));
    await runCli(['ask', 'Hello.', '--process', 'ada'], cwd);
    await set('Set while nothing runs.', '--in', '1s', '--id', 'first');
    const first = serve();
    expect(await nextTurn(first)).toMatchObject({ name: 'ada', kind: 'timer' });
    await set('Set beside it.', '--in', '1s', '--id', 'second');
    expect((await nextTurn(first)).interruptId).toMatch(/^second@/);
    first.process.kill('SIGKILL');
    expect((await first.ended).status).toBe('SIGKILL');
    await set('Set after its death.', '--in', '1s', '--id', 'third');
    const second = serve();
    expect((await nextTurn(second)).interruptId).toMatch(/^third@/);
    second.process.kill('SIGTERM');
    const { status, stderr } = await second.ended;
    expect(stderr).toMatch(/ending when the turns under way have ended/);
    expect(status).toBe(0);
    const { stdout } = await runCli(['timer', 'list', '--process', 'ada', '--json'], cwd);
    expect(JSON.parse(stdout)).toEqual([]);
  });
});
