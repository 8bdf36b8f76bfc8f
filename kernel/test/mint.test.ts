import { expect, it } from 'vitest';
import { createMint } from '../src/index.js';

it('never mints an id twice, also of one moment and from several mints, and orders them by time', () => {
  const [early, late] = [createMint({ now: () => 1 }), createMint({ now: () => 2 })];
  const ids = Array.from({ length: 1_000 }, () => [early(), early(), late()]).flat();
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(early() < late()).toBe(true);
});
