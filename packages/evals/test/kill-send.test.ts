import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogEntry } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { type Child, startScript } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { createChance, roundsOfRun, seedOfRun } from './support/random.js';
import { pidOf, rowsOf, wholeLog, withStore } from './support/store.js';

const ROUNDS = roundsOfRun(4);
const QUESTIONS = 12 * ROUNDS;
const folder = temporaryFolder();
const data = join(folder, 'store');
const ids = Array.from({ length: QUESTIONS }, (_, n) => `q${n}`);

interface Line {
  readonly delivered?: string;
  readonly served?: string;
  readonly answered?: string;
  readonly text?: string;
}

interface Said {
  readonly delivered: Set<string>;
  readonly answered: Map<string, string>;
}

function answer(): Child {
  return startScript('answer', [data, String(QUESTIONS)], { cwd: folder });
}

function hear(stdout: string, said: Said): void {
  for (const text of stdout.split('\n').slice(0, -1)) {
    const line = JSON.parse(text) as Line;
    if (line.delivered !== undefined) said.delivered.add(line.delivered);
    if (line.answered !== undefined) said.answered.set(line.answered, line.text ?? '');
  }
}

/** Kills it after so many turns that were served in this life, and a pause. */
async function answerAndKill(turns: number, pause: number, said: Said): Promise<void> {
  const child = answer();
  for (let served = 0; served < turns;) {
    const { value, done } = await child.lines.next();
    if (done) break;
    if ((JSON.parse(value) as Line).served !== undefined) served += 1;
  }
  await delay(pause);
  child.process.kill('SIGKILL');
  const { stdout, stderr } = await child.ended;
  expect(stderr).toBe('');
  hear(stdout, said);
}

/** How often each question was answered, by what the process said in its log. */
function answersIn(log: readonly LogEntry[]): string[] {
  return log.flatMap(({ message }) =>
    message.parts.flatMap((part) =>
      part.type === 'call' && part.name === 'send_message'
        ? [`q${/question (\d+)/.exec(part.arguments)?.[1]}`]
        : [],
    ),
  );
}

interface Found {
  readonly log: readonly LogEntry[];
  readonly inbox: readonly string[];
  readonly done: readonly string[];
}

async function look(): Promise<Found> {
  return withStore(data, async (recall) => {
    const pid = await pidOf(recall, 'p');
    if (pid === undefined) return { log: [], inbox: [], done: [] };
    const inbox = await rowsOf(recall, pid, 'inbox');
    const deliveries = await rowsOf(recall, pid, 'deliveries');
    return {
      log: await wholeLog(recall, pid),
      inbox: inbox.map(({ value }) => (value as { readonly id: string }).id),
      done: deliveries.flatMap(({ key, value }) =>
        (value as { readonly state: string }).state === 'done' ? [key] : [],
      ),
    };
  });
}

/** What was acknowledged waits or is in recall, once; what was answered is answered once and never twice. */
function check({ log, inbox, done }: Found, said: Said): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const asked = log.flatMap(({ message }) => (message.role === 'user' ? [message.id] : []));
  expect([...asked, ...inbox].toSorted()).toEqual([...new Set([...asked, ...inbox])].toSorted());
  expect([...asked, ...inbox]).toEqual(expect.arrayContaining([...said.delivered]));
  const answers = answersIn(log);
  expect(answers.toSorted()).toEqual([...new Set(answers)].toSorted());
  expect(done).toEqual(expect.arrayContaining([...said.answered.keys()]));
  expect(answers).toEqual(expect.arrayContaining([...done]));
}

describe(`kill -9 while messages are answered (${ROUNDS} instants; PAGEFAULT_ROUNDS sets how many)`, () => {
  it('answers each message that was acknowledged, exactly once (invariant 3, C03, C08, gap 7)', async () => {
    const chance = createChance(seedOfRun());
    console.log(
      `kill -9 during send: ${ROUNDS} rounds, ${QUESTIONS} messages, PAGEFAULT_SEED=${chance.seed}`,
    );
    mkdirSync(data, { recursive: true });
    const said: Said = { delivered: new Set(), answered: new Map() };
    for (let round = 0; round < ROUNDS; round += 1) {
      await answerAndKill(chance.between(0, 10), chance.between(0, 30), said);
      check(await look(), said);
    }
    const { status, stdout, stderr } = await answer().ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    hear(stdout, said);
    const found = await look();
    check(found, said);
    expect(found.inbox).toEqual([]);
    expect(answersIn(found.log).toSorted()).toEqual(ids.toSorted());
    const expected = ids.map((id) => [id, `Answer to question ${id.slice(1)}.`]);
    expect(Object.fromEntries(said.answered)).toEqual(Object.fromEntries(expected));
  }, 600_000);
});
