import { afterEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

let world: World;
afterEach(() => world.close());

describe('a chat on a pipe', () => {
  it('answers each line on standard output, and nothing else is there', async () => {
    world = createWorld();
    const first = await world.run(['chat'], { input: 'My name is Ada and I breed alpacas in Cork.\n' });
    expect(first).toMatchObject({ code: 0 });
    const second = await world.run(['chat'], { input: 'What do I breed, and where?\n\nWhat is my name?' });
    expect(second.stdout).toMatch(/alpacas/);
  });
});
