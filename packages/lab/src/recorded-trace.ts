/**
 * A paging trace, read from a recording: what a policy was told, in order, and when and how much the pager asked it to
 * release. Needs are derived from the run (search hits, page-ins, repeated calls), not annotated.
 */
import type { Boundary, NeedReason, PageId, PageView, Tokens } from '@pagefault/contracts';
import {
  budgetOf,
  type Observation,
  readRecording,
  type RecordingHeader,
  residentViews,
} from '@pagefault/kernel';

export interface Trace {
  /** The policy that ran while it was recorded. */
  readonly policy: string;
  readonly steps: readonly Step[];
}

export type Step =
  /** What the policy may fill: the budget. */
  | { readonly kind: 'capacity'; readonly tokens: Tokens }
  | { readonly kind: 'birth'; readonly page: PageView }
  | Restore
  | { readonly kind: 'stub'; readonly page: PageId }
  | { readonly kind: 'need'; readonly page: PageId; readonly why: NeedReason }
  | Reclaim
  | { readonly kind: 'boundary'; readonly boundary: Boundary }
  /** A reply came: so many cycles have run by now. */
  | { readonly kind: 'cycle'; readonly step: number }
  /** A request was laid out: everything that was sent, and the most that could be. */
  | { readonly kind: 'request'; readonly tokens: Tokens; readonly budget: Tokens };

/** What the recorded policy knew of the life before; the residents were born just before this. */
export interface Restore {
  readonly kind: 'restore';
  readonly policy: string;
  readonly version: number;
  /** Base64. */
  readonly snapshot: string;
}

/** The pager asked for victims; `evicted` is what left in the recorded run. */
export interface Reclaim {
  readonly kind: 'reclaim';
  readonly step: number;
  readonly release: Tokens;
  readonly eligible: readonly PageId[];
  /** What the eligible pages take now, in their order. Left out: what they took before. */
  readonly sizes?: readonly Tokens[];
  /** Terms of the newest user message. Left out by recordings of before. */
  readonly focus?: readonly number[];
  readonly evicted: readonly PageId[];
}

/** Errors: `E_RECORDING` for lines that are none of a recording. A torn last line is passed over. */
export async function readTrace(lines: AsyncIterable<string> | Iterable<string>): Promise<Trace> {
  const steps: Step[] = [];
  let policy = '';
  let cycles = 0;
  for await (const line of readRecording(lines)) {
    if (line.type === 'header') {
      policy = line.policy.id;
      cycles = line.state.head?.counters.cycles ?? 0;
      steps.push(...capacityAtStart(line), ...residentAtStart(line), ...knownAtStart(line));
    }
    if (line.type === 'event' && line.event.type === 'replied') {
      steps.push({ kind: 'cycle', step: (cycles += 1) });
    }
    if (line.type === 'observation') steps.push(...stepsOf(line.observation));
  }
  return { policy, steps };
}

function capacityAtStart({ config }: RecordingHeader): Step[] {
  return [{ kind: 'capacity', tokens: budgetOf(config.processor, config.limits).tokens }];
}

/** A recording may begin in the middle of a life: what was resident then is born at the start. */
function residentAtStart({ state }: RecordingHeader): Step[] {
  return residentViews(state).map((page) => ({ kind: 'birth', page }));
}

function knownAtStart({ policy: { id, version, snapshot = '' } }: RecordingHeader): Step[] {
  return snapshot === '' ? [] : [{ kind: 'restore', policy: id, version, snapshot }];
}

function stepsOf(observation: Observation): Step[] {
  switch (observation.name) {
    case 'page-born': {
      const { name: _, page: id, ...told } = observation;
      return [{ kind: 'birth', page: { id, ...told } }];
    }
    case 'page-stubbed':
      return [{ kind: 'stub', page: observation.page }];
    case 'page-needed':
      return [{ kind: 'need', page: observation.page, why: observation.why }];
    case 'reclaim': {
      const { name, victims: evicted, ...asked } = observation;
      return [{ kind: name, ...asked, evicted }];
    }
    case 'flush-finished':
      return [{ kind: 'boundary', boundary: 'flush' }];
    case 'turn-ended':
      return [{ kind: 'boundary', boundary: 'turn-end' }];
    case 'request':
      return [{ kind: 'request', tokens: observation.tokens, budget: observation.budget }];
    default:
      return [];
  }
}
