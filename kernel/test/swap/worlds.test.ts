import type { InferRequest, Part } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optionsOf, type Step, world, type World } from '../support/gen.js';
import type { Answer, HarnessOptions } from '../support/harness.js';
import { play } from '../support/run.js';
import { openWires, PROVIDER_NAMES, type ProviderName } from './providers.js';
import { thoughtsOf } from './thoughts.js';

const RUNS = Number(process.env['PAGEFAULT_RUNS'] ?? 60);

/** Of a long life the latest requests hold what the earlier ones did. */
const LATEST = 4;

interface Sent {
  readonly request: InferRequest;
  readonly provider: ProviderName;
}

/** The model's name is the provider's: a swap to another window is one to another provider. */
function onProviders(random: World): World {
  const steps = random.steps.map((step): Step =>
    step.kind === 'swap' ? { ...step, model: providerAt(step.window) } : step,
  );
  return { ...random, steps };
}

function providerAt(n: number): ProviderName {
  return PROVIDER_NAMES[n % PROVIDER_NAMES.length] ?? 'chat';
}

/** Each model thinks before it speaks, and shows a picture now and then what it was asked about. */
function thinking(random: World, current: () => ProviderName): HarnessOptions {
  const { reply, ...options } = optionsOf(random);
  let said = 0;
  return {
    ...options,
    model: providerAt(random.window),
    reply: (request, n): Answer => {
      const answer = reply?.(request, n) ?? { parts: [], reason: 'stop', usage: NONE };
      if ('failure' in answer) return answer;
      return { ...answer, parts: [...thoughtsOf(current(), (said += 1)), ...answer.parts] };
    },
  };
}

const NONE = { plain: 0, cached: 0, written: 0, output: 0 };
const IMAGE: Part = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=', width: 64, height: 64 };

/** Pictures beside the text of some messages, as an older version or another front may have stored them. */
function illustrated(request: InferRequest): InferRequest {
  const messages = request.messages.map((message, at) =>
    message.role === 'user' && at % 3 === 0 ? { ...message, parts: [...message.parts, IMAGE] } : message,
  );
  return { ...request, messages };
}

function requestsOf(random: World) {
  const sent: Sent[] = [];
  const seen = new Set<string>();
  let provider = providerAt(random.window);
  const note = (harness: ReturnType<typeof play>, step: Step): void => {
    for (const { request } of harness.requests.splice(0)) sent.push({ request, provider });
    for (const { name } of harness.observations.splice(0)) seen.add(name);
    seen.add(step.kind);
    if (step.kind === 'swap') provider = providerAt(step.window);
  };
  play(
    onProviders(random),
    note,
    thinking(random, () => provider),
  );
  return { sent, seen };
}

describe('any life of the core on changing providers', () => {
  it(
    'makes requests that the provider of the day accepts, and at its end every provider, there and back (invariant 2; A01 A02 A04 A05 A06 A07 A08 A09 A10 A11 A13 A15 A16 A20 A21 A32 A58 B03 C08 C09)',
    async () => {
      const wires = await openWires();
      const seen = new Map<string, number>();
      let built = 0;
      await fc.assert(
        fc.asyncProperty(world, async (random) => {
          const { sent, seen: sights } = requestsOf(random);
          for (const { request, provider } of sent.slice(-LATEST)) {
            const { problems } = await wires.body(provider, illustrated(request));
            expect(problems.map((problem) => `${provider}: ${problem}`)).toEqual([]);
            built += 1;
          }
          const last = sent.at(-1);
          if (last === undefined) return;
          const history = JSON.stringify(last.request);
          const bodies: string[] = [];
          for (const name of [...PROVIDER_NAMES, ...PROVIDER_NAMES.slice(0, -1).toReversed()]) {
            const { body, problems } = await wires.body(name, last.request);
            expect(problems.map((problem) => `${name}: ${problem}`)).toEqual([]);
            bodies.push(JSON.stringify(body));
            built += 1;
          }
          expect(bodies.toReversed()).toEqual(bodies);
          expect(JSON.stringify(last.request)).toBe(history);
          for (const sight of sights) seen.set(sight, (seen.get(sight) ?? 0) + 1);
        }),
        { numRuns: RUNS },
      );
      await wires.close();
      expect(built).toBeGreaterThan(RUNS * PROVIDER_NAMES.length);
      const must = ['swap', 'crash', 'cancel', 'page-stubbed', 'page-evicted', 'flush-finished'];
      expect(must.filter((sight) => !seen.has(sight))).toEqual([]);
    },
    120_000 + RUNS * 1_000,
  );
});
