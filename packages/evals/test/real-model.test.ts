import { type ChatRequest, type DoubleReply, type OpenAIDouble, startOpenAIDouble } from '@pagefault/doubles';
import { afterEach, describe, expect, it } from 'vitest';
import { realModel } from '../bench/real-model/command.js';

let double: OpenAIDouble | undefined;
afterEach(async () => {
  await double?.close();
  double = undefined;
});

/** What a run prints, and its exit code. */
async function run(reply: (request: ChatRequest, n: number) => DoubleReply, ...args: readonly string[]) {
  double = await startOpenAIDouble({ reply });
  return printed('--base-url', double.baseURL, '--model', 'double', ...args);
}

async function printed(...args: readonly string[]) {
  const lines: string[] = [];
  const code = await realModel(args, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

/** Answers questions from everything that it is shown; says no fact before, so that its own words are no help. */
function knowing({ messages }: ChatRequest): DoubleReply {
  const last = messages.findLast(({ role }) => role === 'user')?.content;
  if (typeof last !== 'string' || !/^What is/m.test(last)) return { text: 'I see.' };
  const shown = messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n');
  const facts = ['Ada Byrne', 'Cork', 'Biscuit', '3 May 2021', '4417'].filter((fact) => shown.includes(fact));
  return { text: `I know of ${facts.join(', ')}.` };
}

describe('the conversation with a real model', () => {
  it('tells of each turn what was said, called and paged, and ends with a table', async () => {
    const { code, text } = await run(knowing, '--dialect', 'native', '--window', '2048');
    expect(code).toBe(0);
    expect(text.match(/^── turn \d+/gm)).toHaveLength(10);
    expect(text).toMatch(/^pages {2}2 in, \d+ out, 0 faults, \d+ resident; \d+ of \d+ tokens \[█+░*\]$/m);
    expect(text).toContain('turns with an answer                          10 of 10');
    expect(text).toContain('facts remembered                              3 of 3');
  });

  it('asks for facts whose pages have left the queue', async () => {
    const { text } = await run(knowing, '--dialect', 'native', '--window', '1792');
    expect(text).toContain('of those whose page was evicted             3 of 3');
    expect(text).toContain('memory remembered, told on a page that was evicted');
  });

  it('counts what was forgotten, refused and repaired', async () => {
    const { code, text } = await run((_, n) =>
      n % 2 === 0 ? { calls: [{ name: 'no_such_function', arguments: '{}' }] } : { text: 'I do not know.' },
    );
    expect(code).toBe(0);
    expect(text).toContain('call   no_such_function{} (refused)');
    expect(text).toContain('facts remembered                              0 of 3');
    expect(text).toContain('calls, of them refused                        10, 10');
    expect(text).toContain('turns with a refused call that had an answer  10 of 10');
  });

  it('ends with 1 when turns fail, and says why', async () => {
    const { code, text } = await run(() => ({ fault: { kind: 'status', status: 400 } }));
    expect(code).toBe(1);
    expect(text).toContain('failed E_REQUEST');
  });

  it('says how to go on when no server answers', async () => {
    const { code, text } = await printed('--base-url', 'http://127.0.0.1:1', '--model', 'none');
    expect(code).toBe(1);
    expect(text).toMatch(/^No server answers at http:\/\/127\.0\.0\.1:1 \(/);
    expect(text).toContain('docs/real-models.md says how');
  });

  it('shows its options when they are missing or wrong', async () => {
    expect(await printed()).toMatchObject({
      code: 2,
      text: expect.stringMatching(/^usage: npm run real-model/),
    });
    expect(await printed('--modle', 'x')).toMatchObject({
      code: 2,
      text: expect.stringContaining('--modle'),
    });
  });
});
