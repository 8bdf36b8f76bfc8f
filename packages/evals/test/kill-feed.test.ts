import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Child, startCli } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { createChance, roundsOfRun, seedOfRun } from './support/random.js';
import { pidOf, textOf, wholeLog, withStore } from './support/store.js';

const ROUNDS = roundsOfRun(5);
const MESSAGES = 32 * 4 * ROUNDS;
const folder = temporaryFolder();
const dataDir = join(folder, 'store');
const transcript = join(folder, 'life.jsonl');

const lineOf = (n: number) => ({
  id: String(n),
  role: n % 2 === 0 ? 'user' : 'assistant',
  text: `Message ${n}: the alpaca of stall ${n * 7} was sheared, and its fleece weighs ${n * 13} grams.`,
});

interface Ack {
  readonly last: string;
}

function feed(): Child {
  const config = { archival: 'none', embedder: 'none', processor: 'reflex', window: 4_096 };
  writeFileSync(join(folder, 'pagefault.config.json'), JSON.stringify(config));
  const args = ['feed', transcript, '--ack', '--no-index', '--data', dataDir, '--process', 'p'];
  return startCli(args, { cwd: folder });
}

/** The position in the transcript of the last message that was acknowledged before the child was killed. */
async function feedAndKill(acks: number, pause: number): Promise<number> {
  const child = feed();
  let acknowledged = -1;
  for (let seen = 0; seen < acks; seen += 1) {
    const { value, done } = await child.lines.next();
    if (done) break;
    acknowledged = Number((JSON.parse(value) as Ack).last.split('/')[1]);
  }
  await delay(pause);
  child.process.kill('SIGKILL');
  // What it said before it died counts, also when nobody had read it yet.
  const { stdout } = await child.ended;
  for (const line of stdout.split('\n').slice(0, -1)) {
    acknowledged = Math.max(acknowledged, Number((JSON.parse(line) as Ack).last.split('/')[1]));
  }
  return acknowledged;
}

/** Opens what the dead child left: each message once, in the transcript's order, at dense positions. */
async function checkStore(acknowledged: number): Promise<number> {
  return withStore(dataDir, async (recall) => {
    const pid = await pidOf(recall, 'p');
    const log = pid === undefined ? [] : await wholeLog(recall, pid);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expect(log.map(({ message }) => message.id)).toEqual(log.map((_, index) => `life/${index}`));
    expect(log.map(textOf)).toEqual(log.map((_, index) => lineOf(index).text));
    expect(log.length).toBeGreaterThan(acknowledged);
    return log.length;
  });
}

describe(`kill -9 while a transcript is fed (${ROUNDS} instants; PAGEFAULT_ROUNDS sets how many)`, () => {
  it('loses nothing that was acknowledged, doubles nothing, and goes on (invariant 3)', async () => {
    const chance = createChance(seedOfRun());
    console.log(`kill -9 during feed: ${ROUNDS} rounds, ${MESSAGES} messages, PAGEFAULT_SEED=${chance.seed}`);
    const lines = Array.from({ length: MESSAGES }, (_, n) => `${JSON.stringify(lineOf(n))}\n`);
    writeFileSync(transcript, lines.join(''));
    let stored = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      // A first acknowledgement of what is there already, then some of new batches, then a part of one.
      const acks = Math.floor(stored / 32) + chance.between(0, 3);
      const acknowledged = await feedAndKill(acks, chance.between(0, 25));
      const now = await checkStore(acknowledged);
      expect(now).toBeGreaterThanOrEqual(stored);
      stored = now;
    }
    const { status, stderr } = await feed().ended;
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(await checkStore(MESSAGES - 1)).toBe(MESSAGES);
  }, 600_000);
});
