import { type EmbedderDriver, PagefaultError } from '@pagefault/contracts';
import { createMemoryArchival } from '@pagefault/driver-memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

let world: World;
let isDown = false;
const archival = () => createMemoryArchival({ dimension: 2 });
let index = archival();
const embedder: EmbedderDriver = {
  kind: 'embedder',
  name: 'lengths',
  specVersion: 1,
  supports: { dimension: 2, maxTokens: 100, fingerprint: 'lengths-1' },
  open: async () => undefined,
  close: async () => undefined,
  embed: async (texts) => {
    if (isDown) throw new Error('the embedder is down');
    return texts.map(({ length }) => Float32Array.of(1, length / 100));
  },
};

beforeEach(async () => {
  isDown = false;
  index = archival();
  world = createWorld({ archival: index, embedder });
  const kernel = await world.kernel();
  const ada = await kernel.spawn({ name: 'ada' });
  await ada.append([{ text: 'My number is 4711.' }, { text: 'Mine is 0815.' }]);
  await kernel.spawn({ name: 'bob' });
  await kernel.settle();
});
afterEach(() => world.close());

async function drift(): Promise<void> {
  const ada = await (await world.kernel()).find('ada');
  const scope = `recall/${ada?.pid}/lengths-1/turns-2`;
  await index.remove(scope, ['0']);
  await index.upsert(scope, [{ id: '99', vector: Float32Array.of(1, 0), at: 0 }]);
}

describe('fsck', () => {
  it('says in a line that all is well', async () => {
    const { code, stdout } = await world.run(['fsck']);
    expect(stdout).toBe('2 processes, 2 texts: the index is what recall says\n');
    expect(code).toBe(0);
  });

  it('shows the difference and how to remove it, changes nothing, and ends with 1', async () => {
    await drift();
    for (const _ of [1, 2]) {
      const { code, stdout } = await world.run(['fsck']);
      expect(stdout.split('\n')).toEqual([
        'process  texts  missing  ghosts',
        'ada          2        1       1',
        '2 processes, 2 texts: 1 differ from recall; `pagefault fsck --repair` removes the difference',
        '',
      ]);
      expect(code).toBe(1);
    }
  });

  it('removes the difference when it is told to', async () => {
    await drift();
    const { code, stdout } = await world.run(['fsck', '--repair']);
    expect(stdout).toMatch(/ada .*\n2 processes, 2 texts: repaired\n$/);
    expect(code).toBe(0);
    expect((await world.run(['fsck'])).code).toBe(0);
  });

  it('says what could not be removed, and why', async () => {
    await drift();
    isDown = true;
    const { code, stdout, stderr } = await world.run(['fsck', '--repair']);
    expect(stderr).toContain('the embedder is down');
    expect(stdout).toContain('1 still to be done');
    expect(code).toBe(1);
  });

  it('is one JSON document for programs', async () => {
    await drift();
    const { stdout } = await world.run(['fsck', '--repair', '--json']);
    const { processes, left } = JSON.parse(stdout) as Record<string, readonly { missing: number }[]>;
    expect([processes, left].map((some) => some?.map(({ missing }) => missing))).toEqual([[1, 0], [0, 0]]); // prettier-ignore
  });

  it('tells a stack without an index so', async () => {
    const plain = createWorld();
    const { code, stderr } = await plain.run(['fsck']);
    expect(stderr).toContain('no archival index');
    expect(code).toBe(1);
    await plain.close();
  });
});

it('says that it wants an embedded store for itself, and what to end', async () => {
  const held = createWorld(
    {},
    {
      start: () =>
        Promise.reject(new PagefaultError('E_DATA_DIR_LOCKED', 'data directory ./a is in use by process 7')),
    },
  );
  for (const more of [[], ['--repair']]) {
    const { code, stdout, stderr } = await held.run(['fsck', ...more]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^error\[E_DATA_DIR_LOCKED\]: data directory \.\/a is in use by process 7\nhint: fsck needs/,
    );
    expect(stderr).toContain('end the program that holds it (a chat by /quit');
  }
  await held.close();
});
