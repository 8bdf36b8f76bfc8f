/** A script of a life: steps of every kind that a user, a program or a crash may take, drawn from a seed. */
import { hasCode } from '@pagefault/contracts';
import type { Kernel, Process, SearchRequest } from '@pagefault/kernel';
import type { Gate } from './gate.js';
import type { Chance } from './random.js';

/** Of the process that is the `who`-th of those that are there. Numbers that name what is not there are steps, too. */
export type Step = { readonly who: number } & (
  | { readonly do: 'send' | 'ask'; readonly text: string }
  | { readonly do: 'append' | 'archive'; readonly texts: readonly string[] }
  | { readonly do: 'search'; readonly request: SearchRequest }
  | { readonly do: 'note'; readonly text: string }
  | { readonly do: 'pin' | 'unpin' | 'forget'; readonly handle: string }
  | { readonly do: 'timer' | 'cancel'; readonly id: string }
  | { readonly do: 'undo' | 'map' | 'fork' | 'erase' | 'restart' }
);

const PLACES = ['the barn', 'stall 7', 'Cork', 'the meadow', 'the shed', '科克', 'a café in Zürich'];
const THINGS = ['alpaca', 'fleece', 'vet', 'ladder', 'dog Rex', 'number 0147', '羊驼', '🦙'];

/** Some kinds more often than others; a whole list of kinds comes in some 30 steps. */
const KINDS = [
  ...Array<'send'>(10).fill('send'),
  ...Array<'append'>(6).fill('append'),
  ...Array<'archive' | 'search'>(2).fill('archive'),
  ...Array<'archive' | 'search'>(4).fill('search'),
  ...(['ask', 'note', 'note', 'undo', 'pin', 'unpin', 'forget', 'timer', 'cancel', 'map'] as const),
  ...(['fork', 'erase', 'restart'] as const),
];

export function scriptOf(chance: Chance, length: number): Step[] {
  const one = <T>(list: readonly T[], fallback: T): T => list[chance.between(0, list.length - 1)] ?? fallback;
  const sentence = (n: number): string =>
    `${one(['On day', 'In week', 'At hour'], '')} ${n} the ${one(THINGS, '')} of ${one(PLACES, '')} had ${chance.between(2, 99)} ${'guests and hay '.repeat(chance.between(1, 9)).trim()}.`;
  const said = (n: number): string =>
    one(
      [
        sentence(n),
        `My ${one(['colour', 'town', 'horse'], '')} is ${one(['red', 'blue', 'Byrne'], '')} ${n}.`,
        `Remember that the ${one(THINGS, '')} is in ${one(PLACES, '')}.`,
        `Where is the ${one(THINGS, '')}?`,
        `What did the ${one(THINGS, '')} of ${one(PLACES, '')} have?`,
      ],
      '',
    );
  const texts = (n: number): string[] =>
    Array.from({ length: chance.between(1, 6) }, (_, i) => sentence(n * 10 + i));
  const request = (): SearchRequest => ({
    collection: one(['messages', 'passages'] as const, 'messages'),
    query: `${one(THINGS, '')} ${one(PLACES, '')}`,
    page: chance.between(0, 1),
  });
  return Array.from({ length }, (_, n): Step => {
    const [who, kind, handle] = [chance.between(0, 2), one(KINDS, 'send'), `m${chance.between(1, n + 2)}`];
    if (kind === 'send' || kind === 'ask') return { who, do: kind, text: said(n) };
    if (kind === 'append' || kind === 'archive') return { who, do: kind, texts: texts(n) };
    if (kind === 'search') return { who, do: kind, request: request() };
    if (kind === 'note') return { who, do: kind, text: `Note ${n}.` };
    if (kind === 'pin' || kind === 'unpin' || kind === 'forget') return { who, do: kind, handle };
    if (kind === 'timer' || kind === 'cancel') return { who, do: kind, id: `t${chance.between(1, 4)}` };
    return { who, do: kind };
  });
}

/** A kernel that may be started again, and the processes on it. */
export interface World {
  /** Shut while a turn runs. */
  readonly gate: Gate;
  kernel: Kernel;
  processes: Process[];
  restart(): Promise<Kernel>;
}

const MOST_PROCESSES = 3;

/** What a step showed, or the code that it was refused with. Resolves when the index has caught up. */
export async function perform(world: World, step: Step): Promise<unknown> {
  try {
    return await performed(world, step);
  } catch (error) {
    if (hasCode(error, 'E_NOT_FOUND', 'E_PIN_LIMIT', 'E_INVALID', 'E_CONFLICT', 'E_BLOCK')) return error.code;
    throw error;
  } finally {
    world.gate.open();
    await world.kernel.settle();
  }
}

async function performed(world: World, step: Step): Promise<unknown> {
  const process = world.processes[step.who % world.processes.length];
  if (!process) return undefined;
  switch (step.do) {
    case 'send':
    case 'ask': {
      world.gate.shut();
      const { outcome, text, cycles } = await process[step.do](step.text);
      return { outcome, text, cycles };
    }
    case 'append':
      return process.append(step.texts.map((text) => ({ text, name: 'Bo' })));
    case 'archive':
      return process.archive(step.texts.map((text) => ({ text, source: 'guide.md' })));
    case 'search':
      return process.search(step.request);
    case 'note':
      return process.blocks.append('human', step.text);
    case 'undo':
      return process.blocks.undo('human');
    case 'pin':
    case 'unpin':
      return process[step.do](step.handle);
    case 'forget':
      return process.erase({ messages: await process.messageIds([step.handle]) });
    case 'timer':
      return process.timers.set({ id: step.id, text: 'Look at the herd.', in: 3_600_000 });
    case 'cancel':
      return process.timers.cancel(step.id);
    case 'map':
      return process.mapDocument({ name: 'guide', text: 'Alpacas are shorn once a year. '.repeat(50) });
    case 'fork':
      return fork(world, process);
    case 'erase':
      return erase(world);
    case 'restart':
      return restart(world);
  }
}

async function fork(world: World, process: Process): Promise<string | undefined> {
  if (world.processes.length >= MOST_PROCESSES) return undefined;
  const child = await process.fork();
  world.processes.push(child);
  return child.pid;
}

/** The youngest goes: nobody forked from it. The first one stays. */
async function erase(world: World): Promise<unknown> {
  if (world.processes.length < 2) return undefined;
  const last = world.processes.at(-1);
  world.processes.pop();
  return last && world.kernel.erase(last.pid);
}

async function restart(world: World): Promise<readonly string[]> {
  const pids = world.processes.map(({ pid }) => pid);
  world.kernel = await world.restart();
  world.processes = [];
  for (const pid of pids) world.processes.push(await world.kernel.open(pid));
  return pids;
}
