import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenPairs } from '../openai/talk.js';
import { problemsOf } from '../support/whole.js';
import { anyLife } from './any-life.js';
import { type Lived, live } from './living.js';
import { PROVIDER_NAMES } from './providers.js';
import { keepsPrefix, sightsOf } from './sights.js';

const OUTCOMES = new Set(
  (
    'answered yielded refused truncated interrupted failed ' +
    'cycle-cap spend-cap time-cap repeating thrashing'
  ).split(' '),
);

const RUNS = Number(process.env['PAGEFAULT_RUNS'] ?? 20);

/** What lives of this kind must have met, or they prove nothing; all the rest in many of them. */
const ALWAYS = ['swap', 'summary', 'flush-finished', 'page-evicted', 'parallel calls', 'prefix kept'];
const IN_MANY = [
  ...PROVIDER_NAMES,
  'death in a call',
  'page-stubbed',
  'page-needed',
  'own thinking sent back',
  'thinking of another in the history',
  'interrupted call',
  'system message amid the conversation',
  'empty result',
  'refused',
  'interrupted',
  'prefix kept over a swap',
];
const MANY = 200;

describe('any life on changing providers', () => {
  it(
    'sends only what the provider of the day accepts, rewrites no history, and keeps its prefix (A01 A02 A04 A06 A07 A08 A09 A10 A13 A15 A16 A17 A18 A19 A20 A21 A23 A56 C08 C20)',
    async () => {
      const seen = new Map<string, number>();
      const holds = async (lived: Lived): Promise<void> => {
        expect(lived.refused).toEqual([]);
        expect(lived.outcomes.filter((outcome) => !OUTCOMES.has(outcome))).toEqual([]);
        expect(brokenPairs(lived.log)).toEqual([]);
        for (const { request } of lived.sent) expect(problemsOf(request)).toEqual([]);
        expect(lived.sent.filter((_, at) => keepsPrefix(lived.sent, at) === false)).toEqual([]);
        for (const sight of sightsOf(lived)) seen.set(sight, (seen.get(sight) ?? 0) + 1);
      };
      await fc.assert(
        fc.asyncProperty(anyLife, async (life) => holds(await live(life))),
        { numRuns: RUNS },
      );
      const must = RUNS < MANY ? ALWAYS : [...ALWAYS, ...IN_MANY];
      expect(must.filter((sight) => !seen.has(sight))).toEqual([]);
    },
    120_000 + RUNS * 1_000,
  );
});
