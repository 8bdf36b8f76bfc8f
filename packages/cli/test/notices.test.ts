import { PagefaultError } from '@pagefault/contracts';
import { createReflexProcessor, createScriptedProcessor } from '@pagefault/driver-processor-scripted';
import { Bus, fallback } from '@pagefault/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { Notices } from '../src/commands/shared/notices.js';
import { createWorld, type World } from './support/world.js';

let world: World;
afterEach(() => world?.close());

/** Says its name. Fails at the turns that are named. */
function member(name: string, failsAt: readonly number[] = []) {
  const say = { calls: [{ name: 'send_message', arguments: { message: `${name} speaks` } }] };
  const error = new PagefaultError('E_OVERLOADED', 'busy\nnow\u001b[2J');
  return createScriptedProcessor({
    idPrefix: `${name}_`,
    replies: (_, n) => (failsAt.includes(n) ? { error } : say),
  });
}

describe('a chat with a fallback', () => {
  it('says once that another answers and why, and once that the first does again', async () => {
    const processor = fallback([member('main', [1, 2]), member('spare')], {
      names: ['main', 'spare'],
      passOverMs: 0,
    });
    world = createWorld({ processor });
    const { stdout, stderr } = await world.run(['chat'], { input: 'one\ntwo\nthree\nfour\nfive\n' });
    const answers = ['main', 'spare', 'spare', 'main', 'main'].map((name) => `${name} speaks`);
    expect(stdout).toBe(`${answers.join('\n')}\n`);
    expect(stderr.split('\n').filter((line) => line.includes('answers'))).toEqual([
      '[spare answers instead; main: E_OVERLOADED, busy now[2J]',
      '[main answers again]',
    ]);
  });

  it('says nothing while the first answers, and keeps the lines of --json apart', async () => {
    const processor = fallback([member('main', [0]), member('spare')], { names: ['main', 'spare'] });
    world = createWorld({ processor });
    const { stdout, stderr } = await world.run(['chat', '--json'], { input: 'one\n' });
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
    expect(stderr).toMatch('[spare answers instead; main: E_OVERLOADED');
    const calm = createWorld({ processor: fallback([member('main'), member('spare')]) });
    expect((await calm.run(['chat'], { input: 'one\n' })).stderr).not.toMatch('answers');
    await calm.close();
  });
});

describe('notices', () => {
  it('of summaries and of other processes are told apart', () => {
    const bus = new Bus();
    const notices = new Notices(bus);
    const route = {
      answeredBy: 'spare',
      passedOver: [{ name: 'main', code: 'E_TIMEOUT', message: 'late' }],
    } as const;
    for (const pid of ['ada', 'ada', 'bob']) bus.raise('processor-routed', { ...route, pid });
    bus.raise('processor-routed', { ...route, pid: 'ada', summary: true });
    bus.raise('processor-routed', { answeredBy: 'main', passedOver: [], pid: 'ada', summary: true });
    expect(notices.take('ada')).toEqual([
      '[spare answers instead; main: E_TIMEOUT, late]',
      '[spare answers instead for summaries; main: E_TIMEOUT, late]',
      '[main answers again for summaries]',
    ]);
    expect(notices.take()).toEqual(['[spare answers instead; main: E_TIMEOUT, late]']);
    expect(notices.take()).toEqual([]);
    notices.close();
    expect(bus.listenerCount('processor-routed')).toBe(0);
  });

  it('say that tokens are estimated, and that costs are not known', async () => {
    const driver = createReflexProcessor();
    const count: typeof driver.count = (pieces, signal, onBounds) => {
      onBounds?.(new PagefaultError('E_AUTH', 'counting is exact, but 401', { hint: 'check it' }));
      return driver.count(pieces, signal);
    };
    world = createWorld({ processor: { ...driver, count }, limits: { turnSpend: 1 } });
    const { stderr } = await world.run(['chat'], { input: 'Hello.\nHello again.\n' });
    expect(stderr.match(/\[counting is exact, but 401; check it\]/g)).toHaveLength(1);
    expect(stderr.match(/\[what main costs is not known/g)).toHaveLength(1);
  });
});
