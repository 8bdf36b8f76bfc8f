import { LATEST } from '@pagefault/contracts';
import { expect, it } from 'vitest';
import { createMemoryArchival, createMemoryRecall } from '../src/index.js';

const pid = '01931c5e-8a00-7000-8000-00000000000a';

it('recall holds after a close what was committed before it, so that a restart can be played', async () => {
  const driver = createMemoryRecall();
  await driver.open();
  await driver.commit({ pid, puts: [{ space: 'state', key: 'k', value: 1 }] });
  await driver.close();
  await driver.open();
  expect(await driver.load(pid, ['state'])).toHaveLength(1);
});

it('archival holds after a close what was upserted before it', async () => {
  const driver = createMemoryArchival({ dimension: 2 });
  await driver.open();
  await driver.upsert('scope', [{ id: 'a', vector: Float32Array.of(1, 0), at: 0 }]);
  await driver.close();
  await driver.open();
  expect(await driver.count('scope')).toBe(1);
});

it('what recall hands out cannot be changed', async () => {
  const driver = createMemoryRecall();
  await driver.open();
  const message = { id: 'm', role: 'user', at: 0, parts: [{ type: 'text', text: 'as said' }] } as const;
  await driver.commit({
    pid,
    appends: [{ seq: 1, page: 1, message }],
    puts: [{ space: 's', key: 'k', value: { a: 1 } }],
  });
  const [entry] = (await driver.read([{ pid, upTo: LATEST }], { limit: 1 })).items;
  expect(() => Object.assign(entry?.message.parts[0] ?? {}, { text: 'changed' })).toThrow(TypeError);
  const [row] = await driver.load(pid, ['s']);
  expect(() => Object.assign(row?.value ?? {}, { a: 2 })).toThrow(TypeError);
});

it('a value that JSON cannot hold is E_INVALID, and nothing of its commit is written', async () => {
  const driver = createMemoryRecall();
  await driver.open();
  const ring: { self?: unknown } = {};
  ring.self = ring;
  const puts = [{ space: 's', key: 'a', value: 1 }, { space: 's', key: 'b', value: ring as {} }]; // prettier-ignore
  await expect(driver.commit({ pid, puts })).rejects.toMatchObject({ code: 'E_INVALID' });
  expect(await driver.load(pid, ['s'])).toEqual([]);
});

it('a cursor that is not ours is E_INVALID', async () => {
  const driver = createMemoryRecall();
  await driver.open();
  const query = { limit: 1, cursor: 'not ours' };
  await expect(driver.read([{ pid, upTo: LATEST }], query)).rejects.toMatchObject({ code: 'E_INVALID' });
});
