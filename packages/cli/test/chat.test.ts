import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type Commit, PagefaultError } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createScriptedProcessor, type ScriptedReply } from '@pagefault/driver-processor-scripted';
import { boot } from '@pagefault/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

let world: World;
afterEach(() => world.close());

const say = (message: string): ScriptedReply => ({
  calls: [{ name: 'send_message', arguments: { message } }],
});

function scripted(...replies: ScriptedReply[]) {
  return createScriptedProcessor({ replies });
}

/** Answers `said: …` to the last message of the user. */
function echo() {
  return createScriptedProcessor({
    replies: ({ messages }) => {
      const last = messages.findLast(({ role }) => role === 'user')?.parts[0];
      return say(`said: ${last?.type === 'text' ? last.text : ''}`);
    },
  });
}

describe('a chat on a pipe', () => {
  it('answers each line on standard output, and nothing else is there', async () => {
    world = createWorld({ processor: echo() });
    const { code, stdout, stderr } = await world.run(['chat'], {
      input: 'one\n\n  \r\ntwo\u2028half\r\nthree',
    });
    expect(stdout).toBe('said: one\nsaid: two\u2028half\nsaid: three\n');
    expect(stderr.split('\n')[0]).toMatch(/^processor: reflex .*set OPENAI_API_KEY.* memory: /);
    expect(code).toBe(0);
  });

  it('remembers in a second run', async () => {
    world = createWorld();
    await world.run(['chat'], { input: 'My name is Ada and I breed alpacas in Cork.\n' });
    const { stdout } = await world.run(['chat'], { input: 'What do I breed, and where?\n' });
    expect(stdout).toMatch(/alpacas in Cork/);
  });

  it('says in one line why a message has no answer, goes on, and ends with 1', async () => {
    const error = new PagefaultError('E_AUTH', 'the key was refused', { hint: 'check it' });
    world = createWorld({ processor: scripted({ error }, say('Hello.')) });
    const { code, stdout, stderr } = await world.run(['chat'], { input: 'one\ntwo\n' });
    expect(stdout).toBe('Hello.\n');
    expect(stderr).toMatch(/^\[failed E_AUTH: .*the key was refused; hint: check it\]$/m);
    expect(code).toBe(1);
  });

  it('says which line it was that the store refused, and goes on', async () => {
    const memory = createMemoryRecall();
    const recall: typeof memory = {
      ...memory,
      commit: (commit, signal) =>
        JSON.stringify(commit).includes('number two')
          ? Promise.reject(new PagefaultError('E_STORAGE', 'the server is down'))
          : memory.commit(commit, signal),
    };
    world = createWorld({ processor: echo(), recall });
    const { code, stdout, stderr } = await world.run(['chat'], { input: 'one\nnumber two\nthree\n' });
    expect(stdout).toBe('said: one\nsaid: three\n');
    expect(stderr).toMatch(/^error\[E_STORAGE\]: the server is down\nthat was about: "number two"$/m);
    expect(code).toBe(1);
  });

  it('ends at /quit, and takes a path for a message', async () => {
    world = createWorld({ processor: echo() });
    const { stdout } = await world.run(['chat'], { input: '/etc\n/quit\nmore\n' });
    expect(stdout).toBe('said: /etc\n');
  });

  it('stops at an interrupt signal: the turn ends, and no other begins', async () => {
    world = createWorld({ processor: scripted({ ...(say('Hel') as object), broken: 'hang' }) });
    const kernel = await world.kernel();
    const result = await world.run(['chat'], {
      input: 'one\ntwo\n',
      onStart: (interrupt) => void kernel.bus.on('delta', interrupt),
    });
    expect(result.stderr).toMatch(/^\[interrupted\]$/m);
    expect(result.code).toBe(130);
  });

  it('gives programs the text as it is written, and how the turn ended', async () => {
    world = createWorld({ processor: scripted(say('Hello, Ada.')) });
    const { stdout } = await world.run(['chat', '--json'], { input: 'one\n' });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const deltas = lines.filter(({ type }) => type === 'delta').map(({ text }) => text);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join('')).toBe('Hello, Ada.');
    expect(lines.at(-1)).toMatchObject({ type: 'result', outcome: 'answered', text: 'Hello, Ada.' });
  });
});

describe('a chat whose last run was cut off', () => {
  it('answers what was left, in view of the user', async () => {
    const recall = createMemoryRecall();
    let isDead = false;
    const dying = {
      ...recall,
      commit: async (commit: Commit) => (isDead ? Promise.reject(new Error('dead')) : recall.commit(commit)),
      releaseLease: async () => {},
      close: async () => {},
    };
    const hanging = createScriptedProcessor({ replies: () => ({ text: 'x', broken: 'hang' }) });
    const crashed = await boot({ recall: dying, processor: hanging });
    const process = await crashed.spawn({ name: 'default' });
    const started = new Promise<void>((resolve) => crashed.bus.on('request', () => resolve()));
    const sent = [process.send('first'), process.send('second')].map((sending) =>
      sending.catch(() => undefined),
    );
    await started;
    isDead = true;
    world = createWorld({ recall, processor: echo() });
    const { stdout, stderr } = await world.run(['chat'], { input: 'third\n' });
    expect(stderr).toMatch(/answering what was left unanswered/);
    expect(stdout).toMatch(/^said: first\nsaid: second\nsaid: third\n$/);
    await crashed.close().catch(() => undefined);
    await Promise.all(sent);
  });
});

describe('a chat on a terminal', () => {
  /** Types each text as soon as its cue is shown after the one before. */
  async function type(script: readonly (readonly [cue: string, keys: string])[]) {
    const input = new PassThrough();
    const steps = [...script];
    let seen = 0;
    const onOutput = (shown: string) => {
      const [cue, keys] = steps[0] ?? [];
      if (cue === undefined || keys === undefined || !shown.slice(seen).includes(cue)) return;
      steps.shift();
      seen = shown.length;
      setImmediate(() => input.write(keys));
    };
    const result = await world.run(['chat'], { input, isTTY: true, isTyped: true, onOutput });
    expect(steps).toEqual([]);
    return { ...result, plain: stripVTControlCharacters(result.stdout) };
  }

  it('shows an answer while it is written, and once', async () => {
    world = createWorld({ processor: scripted(say('Hello, Ada.')) });
    const { plain, code } = await type([
      ['> ', 'hi\r'],
      ['Ada.', '/quit\r'],
    ]);
    expect(plain.match(/Hello, Ada\./g)).toHaveLength(1);
    expect(code).toBe(0);
  });

  it('shows no control characters of an answer, but gives them to a pipe', async () => {
    const reply = say('red \u001b[31malert\u0007\n\tdone');
    world = createWorld({ processor: scripted(reply, reply) });
    const { stdout } = await type([
      ['> ', 'hi\r'],
      ['done', '/quit\r'],
    ]);
    expect(stdout).toContain('red [31malert\n\tdone\n');
    expect((await world.run(['chat'], { input: 'hi\n' })).stdout).toBe('red \u001b[31malert\u0007\n\tdone\n');
  });

  it('sets two messages of one turn apart', async () => {
    const note = { label: 'human', name: 'human', content: 'x', request_heartbeat: true };
    const first: ScriptedReply = {
      calls: [
        { name: 'send_message', arguments: { message: 'One.' } },
        { name: 'core_memory_append', arguments: note },
      ],
    };
    world = createWorld({ processor: scripted(first, say('Two.')) });
    const { plain } = await type([
      ['> ', 'hi\r'],
      ['Two.', '/quit\r'],
    ]);
    expect(plain).toContain('One.\n\nTwo.\n');
  });

  it('stops the turn at Ctrl-C, stays, and leaves at the next one', async () => {
    const processor = createScriptedProcessor({
      replies: (_, n) => (n === 0 ? { ...(say('Endless') as object), broken: 'hang' } : say('Back.')),
    });
    world = createWorld({ processor });
    const { plain, stderr, code } = await type([
      ['> ', 'hi\r'],
      ['Endless', '\u0003'],
      ['> ', 'still there?\r'],
      ['Back.', ''],
      ['> ', '\u0003'],
      ['> ', '\u0003'],
    ]);
    expect(stderr).toMatch(/\[interrupted\]/);
    expect(stderr).toMatch(/Ctrl-C again/);
    expect(plain).toContain('Back.');
    expect(code).toBe(0);
  });

  it('keeps what is typed during a turn for after it', async () => {
    let finish = () => {};
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const processor = createScriptedProcessor({
      replies: (_, n) => (n === 0 ? { ...(say('First.') as object), before: slow } : say('Second.')),
    });
    world = createWorld({ processor });
    const kernel = await world.kernel();
    // Two steps later the keys were read: the first of them is written in the step after the cue.
    kernel.bus.on('request', () => void setImmediate(() => setImmediate(() => setImmediate(finish))));
    const { plain } = await type([
      ['> ', 'one\r'],
      ['thinking', 'two\r'],
      ['Second.', '/quit\r'],
    ]);
    expect(plain).toMatch(/First\.\n> two\n(.|\n)*Second\./);
  });

  it('shows blocks, pressure and help, and names a command that is none', async () => {
    world = createWorld();
    const { plain, stderr } = await type([
      ['> ', '/memory\r'],
      ['summary', '/stats\r'],
      ['tokens written', '/mermory\r'],
      ['no such command', '/help\r'],
      ['Ctrl-C stops an answer', '\u0004'],
    ]);
    expect(plain).toMatch(/persona .* of 2,000 characters/);
    expect(plain).toMatch(/pressure +[█▏▎▍▌▋▊▉]+░+ +[\d,]+ +\d+\.\d %/);
    expect(stderr).toMatch(/no such command; \/help/);
  });
});
