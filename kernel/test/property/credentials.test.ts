/** Invariant 9: what is configured as a secret is shown nowhere, whatever the provider says. */
import type { RecallDriver } from '@pagefault/contracts';
import type { DoubleReply, Fault } from '@pagefault/doubles';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventName } from '../../src/bus.js';
import { asks, startTalk, type Talk, tells } from '../openai/talk.js';
import { keptRecordings } from '../support/erasing.js';
import { onEachStore } from '../support/stores.js';
import { tracedRecall } from '../support/traces.js';

/** Not of a shape that anybody could know for a key: it is known because it is configured. */
const KEY = 'plainword/alpaca+4711';

const EVENTS: readonly EventName[] = [
  'turn-result',
  'turn-ended',
  'delta',
  'call-finished',
  'summary-failed',
  'index-failed',
  'serve-failed',
  'listener-failed',
];

/** Providers repeat what they were given: in plain, in an address, among other words. */
const echo = fc.constantFrom(
  KEY,
  `Bearer ${KEY}`,
  `Incorrect API key provided: ${KEY}.`,
  `https://api.example.org/v1?key=${encodeURIComponent(KEY)}`,
  `{"authorization":"Bearer ${KEY}"}`,
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc
    .record({ status: fc.constantFrom(400, 401, 403, 404, 429, 500, 503), message: echo })
    .map(({ status, message }): Fault => ({
      kind: 'status',
      status,
      headers: { 'x-request-id': message.replace(/[^ -~]/g, '') },
      body: { error: { message, code: message, type: 'server_error', param: message } },
    })),
  fc
    .record({ after: fc.nat({ max: 4 }), message: echo })
    .map(({ after, message }): Fault => ({ kind: 'error-event', after, error: { message, code: message } })),
);

interface Life {
  readonly faults: readonly Fault[];
  /** Which of them strike a summary. */
  readonly inSummary: boolean;
}

const life: fc.Arbitrary<Life> = fc.record({
  faults: fc.array(fault, { minLength: 1, maxLength: 3 }),
  inSummary: fc.boolean(),
});

const LONG = 'the alpaca was sheared. '.repeat(60);

/** Everything that somebody could see of this life. */
async function shownIn(base: RecallDriver, { faults, inSummary }: Life): Promise<string> {
  const recall = tracedRecall({ ...base, close: async () => undefined });
  const record = keptRecordings();
  const seen: unknown[] = [];
  let asked = 0;
  const faulty = (good: DoubleReply): DoubleReply => {
    const strikes = faults[asked++];
    return strikes ? { ...good, fault: strikes } : good;
  };
  const reply = (_: unknown, n: number): DoubleReply => {
    const good = n % 3 === 1 ? asks('conversation_search', { query: 'alpaca' }) : tells(LONG);
    return inSummary ? good : faulty(good);
  };
  const summary = () => (inSummary ? faulty({ text: 'Alpacas.' }) : { text: 'Alpacas.' });
  const talk = await startTalk({ reply, summary, apiKey: KEY, recall, record, window: 4_096 });
  for (const name of EVENTS) talk.kernel.bus.on(name, (event) => void seen.push(event));
  try {
    for (let n = 0; n < 6; n++) seen.push(await sent(talk, `${n} ${LONG}`));
    seen.push(await talk.agent.map(), await talk.kernel.list());
    seen.push(await recall.tracesOf(KEY), await recall.tracesOf(encodeURIComponent(KEY)));
  } finally {
    await talk.close();
  }
  return [...seen.map(inFull), ...[...record.lines.values()].flat()].join('\n');
}

async function sent(talk: Talk, text: string): Promise<unknown> {
  return talk.agent.send(text).catch((error: unknown) => error);
}

/** Errors with their causes, as a log would show them. */
function inFull(value: unknown): string {
  const errors = new Set<unknown>();
  return JSON.stringify(value, (_, part: unknown) => {
    if (!(part instanceof Error) || errors.has(part)) return part;
    errors.add(part);
    return { ...part, message: part.message, stack: part.stack, cause: part.cause };
  });
}

onEachStore('a configured key', (createRecall, store) => {
  it('is in no error, event, result, row, message or recording, whatever the provider repeats of it (invariant 9)', async () => {
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(life, async (given) => {
        const shown = await shownIn(createRecall(), given);
        expect(shown).not.toContain(KEY);
        expect(shown).not.toContain(encodeURIComponent(KEY));
        if (shown.includes('[redacted]')) failures++;
      }),
      { numRuns: store === 'memory' ? 25 : 5 },
    );
    // Else nothing was repeated, and nothing shown; five lives may all go well.
    expect(failures).toBeGreaterThanOrEqual(store === 'memory' ? 1 : 0);
  });
});
