/**
 * `fallback`: one processor made of several. The first that can answers; what fails before it has said anything is asked
 * of the next. Who failed is passed over for a while, so that not every cycle waits for its time-out first.
 */
import {
  type ErrorCode,
  hasCode,
  type InferRequest,
  type Milliseconds,
  PagefaultError,
  type PassedOver,
  type ProcessorDriver,
  type ProcessorEvent,
  type ProcessorManifest,
} from '@pagefault/contracts';
import { guardProcessor } from '../guard/processor.js';
import { FALLBACK } from '../limits.js';
import { Breaker } from './breaker.js';

export interface FallbackOptions {
  /** What the bus and errors call the processors, in their order. Default: driver and model. */
  readonly names?: readonly string[];
  /** Default 60,000. */
  readonly passOverMs?: Milliseconds;
  /** Milliseconds of a clock that does not go back. Default: this machine's. */
  readonly now?: () => Milliseconds;
}

/** What another processor may do better. Not: what is wrong with the request, was declined, or was stopped. */
const PASSING: readonly ErrorCode[] = ['E_OVERLOADED', 'E_TIMEOUT', 'E_RATE_LIMITED', 'E_AUTH', 'E_PROTOCOL'];

interface Member {
  readonly name: string;
  readonly processor: ProcessorDriver;
}

/**
 * Windows and output are the least of all, counts the largest, so that whoever answers can take the request. Errors of
 * `infer`: the one of whoever had begun to answer; else, when none could, one that says why not each.
 * Errors of the call itself: `E_CONFIG`.
 */
export function fallback(
  processors: readonly ProcessorDriver[],
  { names, passOverMs = FALLBACK.passOverMs, now = () => performance.now() }: FallbackOptions = {},
): ProcessorDriver {
  const members = membersOf(processors, names);
  const breaker = new Breaker(passOverMs, now);
  return {
    kind: 'processor',
    name: 'fallback',
    specVersion: 1,
    supports: Object.freeze(manifestOf(processors.map(({ supports }) => supports))),
    open: (signal) => openAll(members, signal),
    close: () => closeAll(members),
    infer: (request, signal) => inferByOne(members, breaker, request, signal),
    count: async (pieces, signal, onBounds) => {
      const tell = onBounds && firstOf(onBounds);
      const counts = await Promise.all(members.map(({ processor }) => processor.count(pieces, signal, tell)));
      return pieces.map((_, index) => Math.max(...counts.map((of) => of[index] ?? 0)));
    },
  };
}

function membersOf(processors: readonly ProcessorDriver[], names: readonly string[] | undefined): Member[] {
  if (processors.length === 0) throw new PagefaultError('E_CONFIG', 'fallback: there is no processor');
  const given = names ?? processors.map(({ name, supports }) => `${name} (${supports.model})`);
  if (given.length !== processors.length || (names && new Set(names).size < names.length))
    throw new PagefaultError(
      'E_CONFIG',
      `fallback: ${processors.length} processors, names: ${given.join(', ')}`,
      {
        hint: 'give each processor a name of its own',
      },
    );
  // Two of one driver and model are told apart by their place.
  return processors.map((processor, index) => {
    const name = given[index] ?? '';
    const isTaken = given.indexOf(name) < index;
    return { name: isTaken ? `${name} #${index + 1}` : name, processor: guardProcessor(processor) };
  });
}

function manifestOf(all: readonly ProcessorManifest[]): ProcessorManifest {
  return {
    model: all.map(({ model }) => model).join(','),
    window: Math.min(...all.map(({ window }) => window)),
    maxOutput: Math.min(...all.map(({ maxOutput }) => maxOutput)),
    parallelCalls: all.every(({ parallelCalls }) => parallelCalls),
    images: all.every(({ images }) => images),
  };
}

async function* inferByOne(
  members: readonly Member[],
  breaker: Breaker,
  request: InferRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ProcessorEvent, void> {
  const resting = members.filter(({ name }) => breaker.openFor(name) !== undefined);
  const passedOver: PassedOver[] = resting.flatMap(({ name }) => breaker.openFor(name) ?? []);
  const failures: unknown[] = [];
  let attempts = 0;
  // Those that rest are a last resort: better asked too early than no answer.
  for (const member of [...members.filter((one) => !resting.includes(one)), ...resting]) {
    let isShown = false;
    const before = attempts;
    try {
      for await (const event of member.processor.infer(request, signal)) {
        isShown ||= event.type !== 'usage';
        if (event.type === 'usage' || event.type === 'finish') attempts = before + (event.attempt ?? 1);
        yield ofMember(event, attempts, member, breaker, passedOver);
      }
      return;
    } catch (error) {
      if (signal?.aborted || !hasCode(error, ...PASSING)) throw error;
      const reason = breaker.failed(member.name, error);
      if (isShown) throw error;
      replace(passedOver, reason);
      failures.push(error);
    }
  }
  throw noneLeft(passedOver, failures);
}

/** Requests are counted over all members, and each bill has the name of who charges it. */
function ofMember(
  event: ProcessorEvent,
  attempt: number,
  { name }: Member,
  breaker: Breaker,
  passedOver: readonly PassedOver[],
): ProcessorEvent {
  if (event.type === 'usage') return { ...event, attempt, by: event.by ?? name };
  if (event.type !== 'finish') return event;
  const { reply } = event;
  breaker.answered(name);
  const route = { answeredBy: name, passedOver: passedOver.filter((one) => one.name !== name) };
  return { type: 'finish', reply: { ...reply, route }, attempt };
}

/** One that rested and was asked all the same has a newer reason. */
function replace(reasons: PassedOver[], reason: PassedOver): void {
  const before = reasons.findIndex(({ name }) => name === reason.name);
  reasons.splice(before < 0 ? reasons.length : before, before < 0 ? 0 : 1, reason);
}

function noneLeft(passedOver: readonly PassedOver[], failures: readonly unknown[]): PagefaultError {
  const reasons = passedOver.map(({ name, code, message }) => `${name}: ${code} ${message}`).join('; ');
  const [first] = failures;
  return new PagefaultError(
    PagefaultError.is(first) ? first.code : 'E_OVERLOADED',
    `none of ${passedOver.length} processors answered: ${reasons}`,
    {
      driver: 'fallback',
      hint: 'try again later, or add a processor to the order',
      retryable: failures.some((error) => PagefaultError.is(error) && error.retryable),
      cause: new AggregateError(failures, reasons),
    },
  );
}

/** Hears one of several, as it may be heard once. */
function firstOf<T>(hear: (told: T) => void): (told: T) => void {
  let isHeard = false;
  return (told) => {
    if (!isHeard) hear(told);
    isHeard = true;
  };
}

async function openAll(members: readonly Member[], signal: AbortSignal | undefined): Promise<void> {
  const opened: Member[] = [];
  try {
    for (const member of members) {
      opened.push(member);
      await member.processor.open(signal);
    }
  } catch (error) {
    await closeAll(opened).catch(() => undefined); // The first failure is the one to tell.
    throw error;
  }
}

async function closeAll(members: readonly Member[]): Promise<void> {
  const results = await Promise.allSettled(members.map(({ processor }) => processor.close()));
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1)
    throw new AggregateError(failures, `${failures.length} processors failed to close`);
}
