import { hasCode } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { createMemoryArchival, createMemoryRecall } from '../src/index.js';

function refusalOf(create: () => unknown): unknown {
  try {
    create();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('the options of the memory drivers', () => {
  it.each([0, -1, 1.5, Number.NaN, 20_000])('refuse the dimension %s by name', (dimension) => {
    const error = refusalOf(() => createMemoryArchival({ dimension }));
    expect(hasCode(error, 'E_CONFIG') && error.message).toContain('archival.memory.dimension');
  });

  it('refuse an unknown key instead of dropping it', () => {
    const options = { clock: () => 0 };
    const error = refusalOf(() => createMemoryRecall(options as {}));
    expect(hasCode(error, 'E_CONFIG') && error.message).toContain('clock');
  });
});
