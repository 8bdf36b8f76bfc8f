import { PassThrough } from 'node:stream';
import { createScriptedProcessor, type ReplyFunction } from '@pagefault/driver-processor-scripted';
import { virtualClock } from '@pagefault/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

const START = Date.UTC(2026, 2, 1, 8);
const HOUR = 3_600_000;

let world: World;
afterEach(() => world.close());

/** Says what it was told last, by whomever. */
const heard: ReplyFunction = ({ messages }) => {
  const texts = messages.flatMap(({ role, parts }) =>
    role === 'user' || role === 'system' ? parts.map((part) => ('text' in part ? part.text : '')) : [],
  );
  const last = texts.findLast((text) => !text.startsWith('[Memory')) ?? '';
  const message = `heard: ${last.split('\n').at(-1) ?? ''}`;
  return { calls: [{ name: 'send_message', arguments: { message } }] };
};

function start(replies: ReplyFunction = heard) {
  const clock = virtualClock(START);
  world = createWorld({ processor: createScriptedProcessor({ replies }), clock });
  return clock;
}

async function agent(name: string) {
  return (await world.kernel()).spawn({ name });
}

describe('pagefault timer', () => {
  it('sets, lists and cancels', async () => {
    start();
    await agent('ada');
    const set = await world.run([
      'timer',
      'set',
      'Call',
      'Bob.',
      '--at',
      '2026-03-02T09:00',
      '--process',
      'ada',
      '--id',
      'bob',
    ]);
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(set.stdout).toMatch(/^bob is due on 2026-03-02 09:00:00Z, in /);
    await world.run(['timer', 'set', 'Look.', '--every', '2h', '--process', 'ada', '--id', 'look']);
    await world.run([
      'timer',
      'set',
      'Stand up.',
      '--cron',
      '30 9 * * 1-5',
      '--zone',
      'Europe/Berlin',
      '--process',
      'ada',
      '--id',
      'up',
    ]);
    const { stdout } = await world.run(['timer', 'list', '--process', 'ada']);
    expect(stdout).toBe(
      [
        'id    due                   schedule                    set by   text',
        'look  2026-03-01 10:00:00Z  every 2 h                   program  Look.',
        'up    2026-03-02 08:30:00Z  30 9 * * 1-5 Europe/Berlin  program  Stand up.',
        'bob   2026-03-02 09:00:00Z  once                        program  Call Bob.',
        '',
      ].join('\n'),
    );
    expect((await world.run(['timer', 'cancel', 'look', '--process', 'ada'])).stdout).toBe(
      'look is cancelled\n',
    );
    const left = JSON.parse(
      (await world.run(['timer', 'list', '--process', 'ada', '--json'])).stdout,
    ) as unknown[];
    expect(left).toMatchObject([{ id: 'up' }, { id: 'bob', dueAt: Date.UTC(2026, 2, 2, 9) }]);
  });

  it.each([
    [['--in', 'soon'], 2, /such as 90s, 5m, 2h or 1d/],
    [[], 1, /exactly one of at, in, every, cron; there is none of them/],
    [['--in', '5m', '--every', '1h'], 1, /there is in and every/],
    [['--every', '5s'], 1, /the shortest interval is 60 seconds/],
    [['--at', '2020-01-01T00:00'], 1, /is past/],
    [['--in', '1h', '--process', 'nobody'], 1, /there is no process "nobody"/],
  ])('refuses %j', async (options, code, says) => {
    start();
    await agent('default');
    const result = await world.run(['timer', 'set', 'x', ...options]);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(says);
  });

  it('names the timers that there are when one is not', async () => {
    start();
    const { timers } = await agent('default');
    await timers.set({ id: 'look', text: 'Look.', in: HOUR });
    const result = await world.run(['timer', 'cancel', 'lok']);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/there is no timer "lok"[^]*look/);
  });
});

describe('pagefault serve', () => {
  /** Runs until so many lines were printed; then it is asked to end. */
  async function serve(args: readonly string[], lines: number, then: () => unknown) {
    let interrupt = (): void => undefined;
    let isServing = false;
    return world.run(['serve', ...args], {
      onStart: (stop) => (interrupt = stop),
      onOutput: (shown) => {
        if (!isServing && shown.includes('serving;')) {
          isServing = true;
          void then();
        }
        const printed = shown.split('\n').filter((line) => /^1970|^\{/.test(line));
        if (printed.length >= lines) interrupt();
      },
    });
  }

  it('prints a line for each turn, of every agent, and ends with 0 when it is asked to', async () => {
    const clock = start();
    const [ada, bob] = [await agent('ada'), await agent('bob')];
    await ada.timers.set({ text: 'Call Bob.', in: HOUR });
    const { code, stdout, stderr } = await serve([], 2, async () => {
      await clock.advance(HOUR);
      await bob.post({ kind: 'device', text: 'Page 7\nis done.' });
    });
    expect(stdout.trim().split('\n')).toEqual([
      '1970-01-01 00:00:00 ada timer answered: heard: Call Bob.',
      '1970-01-01 00:00:00 bob device answered: heard: is done.',
    ]);
    expect(stderr).toMatch(/serving; Ctrl-C ends it/);
    expect(code).toBe(0);
  });

  it('answers what was left in the inboxes', async () => {
    start();
    const ada = await agent('ada');
    await ada.pause();
    await ada.post({ kind: 'user', text: 'hello' });
    const { stdout } = await serve(['--json'], 1, () => ada.resume());
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'result',
      name: 'ada',
      kind: 'user',
      outcome: 'answered',
      text: 'heard: hello',
    });
  });

  it('waits for the turn under way, as long as it is told to (C28)', async () => {
    let begun = (): void => undefined;
    const turn = new Promise<void>((resolve) => (begun = resolve));
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    start(async (request) => {
      begun();
      await answered;
      return heard(request, 0);
    });
    const ada = await agent('ada');
    let interrupt = (): void => undefined;
    const running = world.run(['serve', '--grace', '20'], {
      onStart: (stop) => (interrupt = stop),
      onOutput: (shown) => shown.includes('ending when') && answer(),
    });
    await ada.post({ kind: 'user', text: 'hello' });
    await turn;
    interrupt();
    expect((await running).stdout).toContain('ada user answered: heard: hello');
  });

  it('serves one agent when it is told which', async () => {
    const clock = start();
    const [ada, bob] = [await agent('ada'), await agent('bob')];
    await bob.timers.set({ text: 'Not now.', in: HOUR });
    await ada.timers.set({ text: 'Now.', in: 2 * HOUR });
    const { stdout } = await serve(['--process', 'ada'], 1, () => clock.advance(3 * HOUR));
    expect(stdout).toMatch(/^\S+ \S+ ada timer answered: heard: Now\.\n$/);
  });

  it('says which agents there are when one is not', async () => {
    start();
    await agent('ada');
    const { code, stderr } = await world.run(['serve', '--process', 'eve']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/there are: ada/);
  });
});

describe('a chat', () => {
  it('on a terminal shows what a timer made the agent say, and goes on', async () => {
    const clock = start();
    const ada = await agent('default');
    await ada.timers.set({ text: 'Call Bob.', in: HOUR });
    const input = new PassThrough();
    let step = 0;
    const { stdout } = await world.run(['chat'], {
      input,
      isTyped: true,
      isTTY: true,
      onOutput: (shown) => {
        if (step === 0 && shown.includes('> ')) {
          step = 1;
          void clock.advance(HOUR);
        } else if (step === 1 && shown.includes('Call Bob.')) {
          step = 2;
          input.write('thanks\r');
        } else if (step === 2 && shown.includes('heard: thanks')) {
          step = 3;
          input.end();
        }
      },
    });
    expect(stdout).toMatch(/\[timer\] heard: Call Bob\.\n[^]*heard: thanks\n/);
  });

  it('on a pipe keeps it from the answers, and gives it to programs with its kind', async () => {
    for (const json of [false, true]) {
      const clock = start();
      const ada = await agent('default');
      await ada.timers.set({ text: 'Call Bob.', in: HOUR });
      const input = new PassThrough();
      const kernel = await world.kernel();
      kernel.bus.on('turn-result', ({ result }) => result.interruptId.includes('@') && input.end('thanks\n'));
      const serving = new Promise<void>((resolve) => {
        const known = kernel.serve.bind(kernel);
        kernel.serve = (options) => known(options).then(resolve);
      });
      const running = world.run(['chat', ...(json ? ['--json'] : [])], { input });
      await serving;
      await clock.advance(HOUR);
      const { stdout, stderr } = await running;
      if (json) {
        const results = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { readonly type: string; readonly kind?: string; text: string })
          .filter(({ type }) => type === 'result');
        expect(results.map(({ kind, text }) => [kind, text])).toEqual([
          ['timer', 'heard: Call Bob.'],
          [undefined, 'heard: thanks'],
        ]);
      } else {
        expect(stdout).toBe('heard: thanks\n');
        expect(stderr).toMatch(/^\[timer\] heard: Call Bob\.$/m);
      }
      await world.close();
    }
  });
});
