import type { InferRequest } from '@pagefault/contracts';
import { type PlannedReply, UNKNOWN_USAGE } from '../plan.js';
import { lookups } from './lookups.js';
import { questions } from './questions.js';
import { remember } from './remember.js';
import { hasTool, outcomeOf, type Rule, type Wish } from './rule.js';
import { smalltalk } from './smalltalk.js';
import { statements } from './statements.js';
import { asksForSummary, extract } from './summary.js';
import { cut } from './text.js';
import { openTurn, type Turn } from './turn.js';

/** In the order in which their parts of the answer stand. */
const RULES: readonly Rule[] = [statements, remember, lookups, questions];

/** Cycles of one turn after which reflex answers with what it has; a chain of 30 UUIDs fits one reply. */
const MOST_CYCLES = 30;

/** English has about four; two leave room for scripts that have fewer, and for JSON. */
const CHARACTERS_PER_TOKEN = 2;

/** One cycle: what is still wanted is called, all at once; when nothing is, the user gets the answer. */
export function decide(request: InferRequest): PlannedReply {
  if (asksForSummary(request)) return speak(extract(request));
  const turn = openTurn(request);
  const step = stepOf(turn);
  const wishes = step > MOST_CYCLES ? [] : outstanding(turn);
  return wishes.length > 0 ? call(turn, wishes, step) : answer(turn);
}

function outstanding(turn: Turn): readonly Wish[] {
  return RULES.flatMap((rule) => rule.wants(turn)).filter(
    (wish) => hasTool(turn, wish.name) && outcomeOf(turn, wish) === undefined,
  );
}

/** Counted by replies, and by the latest note, since earlier replies may have been evicted. */
function stepOf(turn: Turn): number {
  const noted = turn.thoughts.flatMap((thought) => /^Step (\d{1,6})\./.exec(thought)?.[1] ?? []);
  return Math.max(turn.cycles, ...noted.map(Number)) + 1;
}

function call(turn: Turn, wishes: readonly Wish[], step: number): PlannedReply {
  const notes = RULES.flatMap((rule) => rule.notes?.(turn) ?? []);
  const calls = wishes.map(({ name, input }) => ({
    name,
    arguments: JSON.stringify(hasHeartbeat(turn, name) ? { ...input, request_heartbeat: true } : input),
  }));
  return { thinking: [`Step ${step}.`, ...notes].join('\n'), calls, reason: 'calls', usage: UNKNOWN_USAGE };
}

/** In a dialect in which every call asks for another cycle there is no flag. */
function hasHeartbeat({ request }: Turn, name: string): boolean {
  const properties = request.tools.find((tool) => tool.name === name)?.parameters['properties'];
  return typeof properties === 'object' && properties !== null && 'request_heartbeat' in properties;
}

function answer(turn: Turn): PlannedReply {
  const said = RULES.flatMap((rule) => rule.says(turn) ?? []);
  const full = said.length > 0 ? said.join('\n') : smalltalk(turn);
  const message = cut(full, CHARACTERS_PER_TOKEN * turn.request.maxOutput);
  // When `send_message` was refused in this turn, plain text still reaches the user.
  const wasRefused = turn.exchanges.some((exchange) => exchange.name === 'send_message');
  if (wasRefused || !hasTool(turn, 'send_message')) return speak(message);
  const send = { name: 'send_message', arguments: JSON.stringify({ message }) };
  return { calls: [send], reason: 'calls', usage: UNKNOWN_USAGE };
}

function speak(text: string): PlannedReply {
  return { text, calls: [], reason: 'stop', usage: UNKNOWN_USAGE };
}
