import type { LogEntry, RecallDriver } from '@pagefault/contracts';
import { createScriptedProcessor, type ReplyFunction } from '@pagefault/driver-processor-scripted';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { boot, defineTool, extractive, type KernelOptions, type Process } from '../../src/index.js';
import { type Fault, FaultInjector, FAULTS } from '../support/faults.js';
import { keptOpen } from '../support/recall.js';
import { ask, hasResults, lastUser, tell } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';
import { textOf } from '../support/words.js';

const MESSAGES = 7;

/** What a message makes the model do before it answers: the number it begins with says what. */
const DEEDS: readonly ReturnType<typeof ask>[] = [
  ask('core_memory_append', { name: 'human', content: 'a line' }),
  ask('archival_memory_insert', { content: 'a passage about alpacas' }),
  ask('pay'),
  ask('conversation_search', { query: 'alpacas' }),
];

const replies: ReplyFunction = (request) => {
  const said = lastUser(request);
  const deed = DEEDS[Number(said.slice(0, 1)) % DEEDS.length];
  return hasResults(request) || !deed ? tell(`answer to ${said.slice(0, 1)}`) : deed;
};

let kernels = 0;

interface World {
  readonly recall: RecallDriver;
  payments: number;
}

function options(world: World, injector?: FaultInjector): KernelOptions {
  const processor = createScriptedProcessor({ replies, idPrefix: `f${(kernels += 1)}_`, window: 6_144 });
  const pay = async () => `payment ${(world.payments += 1)}`;
  const tool = { name: 'pay', help: 'Pays.', parameters: z.object({}), effect: 'once' } as const;
  return {
    recall: injector?.recall(world.recall) ?? world.recall,
    processor: injector?.processor(processor) ?? processor,
    summariser: injector?.summariser(extractive) ?? extractive,
    tools: [defineTool({ ...tool, run: injector?.tool(pay) ?? pay })],
  };
}

async function sendAll(process: Process) {
  const results = [];
  for (let n = 0; n < MESSAGES; n++)
    results.push(await process.send({ id: `q${n}`, text: `${n} ${textOf(450)}` }).catch(() => undefined));
  return results;
}

/** A life with one fault in it; then another kernel takes over and is sent everything once more. */
async function live(base: RecallDriver, fault: Fault, at: number) {
  const world: World = { recall: keptOpen(base), payments: 0 };
  const injector = new FaultInjector(fault, at);
  const birth = await boot(options(world));
  const { pid } = await birth.spawn({ instructions: 'You remember.', blocks: [{ name: 'human' }] });
  await birth.close();

  const first = await boot(options(world, injector));
  const answered = await first.open(pid).then(sendAll, () => []);
  await first.close().catch(() => undefined);

  const second = await boot(options(world));
  const process = await second.open(pid);
  await process.resume();
  const results = await sendAll(process);
  const map = await process.map();
  const { items: log } = await world.recall.read([{ pid, upTo: Number.MAX_SAFE_INTEGER }], { limit: 1_000 });
  await second.close();

  const third = await boot(options(world));
  expect(await (await third.open(pid)).map()).toEqual(map);
  await third.close();
  return { struck: injector.struck, answered, results, map, log, payments: world.payments };
}

function expectWhole(life: Awaited<ReturnType<typeof live>>): void {
  const { answered, results, log, map, payments } = life;
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  for (const [n, result] of results.entries()) {
    expect(log.filter(({ message }) => message.id === `q${n}`)).toHaveLength(1);
    expect(['answered', 'failed', 'interrupted']).toContain(result?.outcome);
    // What a caller was told stays true.
    if (answered[n]) expect(result).toEqual(answered[n]);
  }
  expect(results.filter((result) => result?.outcome !== 'answered').length).toBeLessThanOrEqual(1);
  const done = (name: string) => resultsOf(log, name).filter(({ isError }) => !isError).length;
  expect(map.blocks[0]?.value.match(/a line/g) ?? []).toHaveLength(done('core_memory_append'));
  expect(map.passages).toBe(done('archival_memory_insert'));
  expect(payments).toBeLessThanOrEqual(callsOf(log).filter(({ name }) => name === 'pay').length);
  for (const call of callsOf(log))
    expect(resultsOf(log, call.name).filter(({ callId }) => callId === call.callId)).toHaveLength(1);
}

function partsOf(log: readonly LogEntry[]) {
  return log.flatMap(({ message }) => message.parts);
}

function callsOf(log: readonly LogEntry[]) {
  return partsOf(log).flatMap((part) => (part.type === 'call' ? [part] : []));
}

function resultsOf(log: readonly LogEntry[], name: string) {
  return partsOf(log).flatMap((part) => (part.type === 'result' && part.name === name ? [part] : []));
}

onEachStore('one fault at any effect', (createRecall) => {
  it('loses nothing, doubles nothing, and leaves a process that goes on (invariants 3, 5, 10)', async () => {
    const struck = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FAULTS), fc.nat(140), async (fault, at) => {
        const life = await live(createRecall(), fault, at);
        if (life.struck !== undefined) struck.add(`${fault} ${life.struck}`);
        expectWhole(life);
      }),
      { numRuns: 24 },
    );
    expect(struck.size).toBeGreaterThan(5);
  });
});
