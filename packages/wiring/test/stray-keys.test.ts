import { describe, expect, it } from 'vitest';
import { REGISTRY, start } from '../src/index.js';

const memory = { recall: 'memory', archival: 'none', embedder: 'none', processor: 'reflex' };
const url = 'http://127.0.0.1:9';

/** What a driver cannot do without, so that the stray key is all that is wrong. */
const NEEDED: Readonly<Record<string, object>> = {
  'recall.pglite': { dataDir: 'memory://' },
  'recall.postgres': { connectionString: 'postgres://ada@127.0.0.1:9/x' },
  'archival.qdrant': { url },
  'embedder.openai': { model: 'm', baseURL: url, dimension: 4 },
  'processor.scripted': { replies: ['Hello.'] },
  'processor.openai': { model: 'm', baseURL: url },
  'processor.anthropic': { model: 'm', baseURL: url },
};

const KINDS = ['recall', 'archival', 'embedder', 'processor'] as const;
const drivers = KINDS.flatMap((kind) => Object.keys(REGISTRY[kind]).map((driver) => ({ kind, driver })));

/** A configuration in which the choice is made, and what it needs of the others. */
function choosing(kind: (typeof KINDS)[number], driver: string, more: object): Record<string, unknown> {
  const choice = { driver, ...NEEDED[`${kind}.${driver}`], ...more };
  const others = {
    recall: memory,
    processor: memory,
    embedder: driver === 'none' ? memory : { ...memory, archival: 'memory' },
    archival:
      driver === 'none'
        ? memory
        : { ...memory, embedder: 'local', ...(driver === 'pgvector' && { recall: 'pglite://memory://' }) },
  };
  return { ...others[kind], [kind]: choice };
}

describe('a key that a driver does not know', () => {
  it.each(drivers)(
    'is refused by name, and never costs the defaults beside it: $kind $driver (E01, E02)',
    async ({ kind, driver }) => {
      const starting = start({ env: {}, overrides: choosing(kind, driver, { stray: 1 }) });
      const outcome = await starting.then((machine) => machine.close(), (error: unknown) => error); // prettier-ignore
      expect(outcome).toMatchObject({
        code: 'E_CONFIG',
        message: expect.stringContaining('stray') as string,
      });
    },
  );
});

describe('a configuration with a stray key', () => {
  it.each([
    ['at the top', { stray: 1 }],
    ['among the limits', { limits: { leaseMs: 1_000, stray: 1 } }],
    ['in the program', { program: { stray: 1 } }],
  ])(
    '%s gives no machine at all: there is no way to run with half of the defaults (E02)',
    async (_, more) => {
      const wrong = start({ env: {}, overrides: { ...memory, ...more } as object });
      await expect(wrong).rejects.toMatchObject({ code: 'E_CONFIG', message: expect.stringContaining('stray') as string }); // prettier-ignore
    },
  );

  it('gives every default again without it', async () => {
    await using plain = await start({ env: {}, overrides: memory });
    await using given = await start({ env: {}, overrides: { ...memory, limits: { leaseMs: 9_999 } } });
    const defaults = plain.config.limits as Record<string, unknown>;
    expect(given.config.limits).toEqual({ ...defaults, leaseMs: 9_999 });
    expect(Object.values(defaults).length).toBeGreaterThan(20);
  });
});
