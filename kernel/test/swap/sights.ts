/** What was met in a life, so that a property over many can say that it was not empty. */
import type { InferRequest, ThinkingPart } from '@pagefault/contracts';
import type { Lived, Sent } from './living.js';

export function sightsOf(lived: Lived): ReadonlySet<string> {
  const sights = new Set<string>([...lived.events, ...lived.outcomes, ...lived.sent.flatMap(sightsIn)]);
  if (lived.swaps > 0) sights.add('swap');
  if (lived.deaths > 0) sights.add('death in a call');
  lived.sent.forEach((one, at) => {
    if (keepsPrefix(lived.sent, at) !== true) return;
    sights.add('prefix kept');
    const others = lived.sent.slice(earlierBy(lived.sent, at) + 1, at);
    if (others.some(({ provider }) => provider !== one.provider)) sights.add('prefix kept over a swap');
  });
  return sights;
}

function sightsIn({ provider, request, body }: Sent): string[] {
  const { messages } = request;
  const calls = messages.map(({ parts }) => parts.filter(({ type }) => type === 'call').length);
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'result'));
  const thinking = messages.flatMap(({ parts }) =>
    parts.filter((part): part is ThinkingPart => part.type === 'thinking' && part.opaque !== undefined),
  );
  const makers = new Set(thinking.map(({ opaque }) => `${opaque?.driver} ${opaque?.model}`));
  const wire = JSON.stringify(body);
  return [
    provider,
    ...(messages.some(({ id }) => id === 'summary') ? ['summary'] : []),
    ...(calls.some((count) => count > 1) ? ['parallel calls'] : []),
    ...(results.some(({ text }) => text === '' || text === '(no output)') ? ['empty result'] : []),
    ...(/interrupted|outcome/i.test(results.map(({ text }) => text).join()) ? ['interrupted call'] : []),
    ...(isAmid(request) ? ['system message amid the conversation'] : []),
    ...(/"encrypted_content"|"type":"(redacted_)?thinking",/.test(wire) ? ['own thinking sent back'] : []),
    ...(makers.size > 1 ? ['thinking of another in the history'] : []),
  ];
}

function isAmid({ messages }: InferRequest): boolean {
  const first = messages.findIndex(({ role }) => role === 'user');
  return first >= 0 && messages.slice(first, -1).some(({ role }) => role === 'system');
}

/** The request before that the same provider had. */
function earlierBy(sent: readonly Sent[], at: number): number {
  return sent.slice(0, at).findLastIndex(({ provider }) => provider === sent[at]?.provider);
}

/**
 * Whether all that one provider was sent before, but for the tail, begins what it is sent now, byte for byte, whoever had
 * the process meanwhile. Undefined where main context was rewritten between, for then it must change, and where one of the
 * two could not ask for thinking, which is a cache of its own at the service.
 */
export function keepsPrefix(sent: readonly Sent[], at: number): boolean | undefined {
  const [now, before] = [sent[at], sent[earlierBy(sent, at)]];
  if (now === undefined || before === undefined || !begins(before.request, now.request)) return undefined;
  if (thinkingOf(now.body) !== thinkingOf(before.body)) return undefined;
  const was = bytesOf(before.body);
  const tail = before.request.messages.at(-1)?.parts.length ?? 0;
  const kept = was.slice(0, was.length - tail);
  return kept.every((bytes, place) => bytesOf(now.body)[place] === bytes);
}

/** In the neutral form: the same head, and the same messages in front. */
function begins(before: InferRequest, now: InferRequest): boolean {
  const head = ({ system, tools }: InferRequest): string => JSON.stringify([system, tools]);
  const [was, is] = [before.messages.slice(0, -1), now.messages.slice(0, before.messages.length - 1)];
  return head(before) === head(now) && JSON.stringify(was) === JSON.stringify(is);
}

function thinkingOf(body: unknown): string {
  return JSON.stringify((body as Wire)['thinking'] ?? null);
}

type Wire = { readonly [key: string]: unknown };

/** Everything in the order of the prefix, without cache marks and without what comes last by its nature. */
function bytesOf(body: unknown): readonly string[] {
  const { messages, input, system, instructions, tools } = body as Wire;
  const items = (messages ?? input ?? []) as readonly Wire[];
  return [tools, system, instructions, ...items.flatMap(blocksOf)].map((each) =>
    JSON.stringify(each, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  );
}

/** Anthropic's turns are merged, so that only their blocks can be told apart. */
function blocksOf({ role, content, ...rest }: Wire): unknown[] {
  return Array.isArray(content) ? content.map((block) => [role, block]) : [{ role, content, ...rest }];
}
