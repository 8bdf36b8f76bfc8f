/** Random lives to erase from: what is said, stored, copied, forked; and what of it each process has. */
import { LATEST, type Pid } from '@pagefault/contracts';
import fc from 'fast-check';
import type { Process } from '../../src/index.js';
import { marker, sentence, type World } from './erasing.js';
import { textOf } from './words.js';

export const SOURCE = 'barn';
export const SPEAKER = 'Ada';

const DEEDS = [
  'say',
  'tell',
  'find',
  'show',
  'store',
  'look-up',
  'archive',
  'map',
  'read',
  'remind',
  'receive',
  'edit',
  'fill',
  'fork',
  'rest',
] as const;

export const step = fc.record({ deed: fc.constantFrom(...DEEDS), who: fc.nat(9), about: fc.nat(7) });
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** More than half of a window of 6,000 tokens: the second time something leaves the queue. */
const FILLING = Array.from({ length: 6 }, (_, n) => ({ text: textOf(450, `rain${n}`) }));

/** What was brought in under a name of its own: a word for each. */
export interface Family {
  readonly members: Process[];
  readonly ofSpeaker: string[];
  /** By who has it. */
  readonly ofSource: Map<Pid, string[]>;
}

export async function live(family: Family, { deed, who, about }: Step, n: number): Promise<void> {
  const process = family.members[who % family.members.length];
  if (!process) return;
  switch (deed) {
    case 'say':
      return void (await process.send(sentence(n)));
    case 'tell':
      family.ofSpeaker.push(marker(n));
      return void (await process.append([{ text: sentence(n), name: SPEAKER }]));
    case 'find':
      return void (await process.send(`find barn${about} password`));
    case 'show':
      return void (await process.send(`show m${about + 1}`));
    case 'look-up':
      return void (await process.send(`look-up barn${about} password`));
    case 'read':
      return void (await process.send(`read ${SOURCE}`));
    case 'store':
    case 'edit':
    case 'remind':
      return void (await process.send(`${deed} ${n}`));
    case 'receive':
      return receive(process, n);
    case 'archive':
      await process.archive([{ text: sentence(n), source: SOURCE }]);
      return noteSource(family, process, n);
    case 'map':
      await process.mapDocument({ name: SOURCE, text: sentence(n) });
      return noteSource(family, process, n);
    case 'fill':
      return void (await process.append(FILLING));
    case 'fork':
      return void family.members.push(await process.fork());
    case 'rest':
      return void (await process.blocks.set('human', 'Keeps alpacas.'));
  }
}

function noteSource({ ofSource }: Family, { pid }: Process, n: number): void {
  ofSource.set(pid, [...(ofSource.get(pid) ?? []), marker(n)]);
}

/** It waits until the mask is lifted. */
async function receive(process: Process, n: number): Promise<void> {
  await process.mask('device');
  await process.post({ kind: 'device', text: sentence(n), name: 'gate' });
}

export interface Found {
  readonly process: Process;
  readonly id: string;
  /** Its words, when it is no copy of others. */
  readonly words: readonly string[];
}

/** All messages, in the logs and in the inboxes. */
export async function messagesOf({ recall }: World, { members }: Family): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (const process of members) {
    const { items } = await recall.read([{ pid: process.pid, upTo: LATEST }], { limit: 10_000 });
    for (const { message } of items) {
      const isOriginal = !message.parts.some((part) => part.type === 'result');
      all.push({ process, id: message.id, words: isOriginal ? wordsIn(message) : [] });
    }
    for (const { value } of await recall.load(process.pid, ['inbox']))
      all.push({ process, id: (value as { id: string }).id, words: wordsIn(value) });
  }
  return all;
}

export async function passagesOf({ recall }: World, { members }: Family): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (const process of members)
    for (const { key, value } of await recall.load(process.pid, ['passages']))
      all.push({ process, id: key, words: wordsIn(value) });
  return all;
}

export function wordsIn(value: unknown): readonly string[] {
  return [...new Set(JSON.stringify(value).match(/zq\d{4}k/g) ?? [])];
}
