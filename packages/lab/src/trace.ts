/**
 * A paging trace, read from a recording: what a policy was told, in order, and when and how much the pager asked it to
 * release. Needs are derived from the run (search hits, page-ins, repeated calls), not annotated.
 */
import type { Boundary, NeedReason, PageId, PageView, Tokens } from '@pagefault/contracts';
import { type Observation, readRecording, type RecordingHeader } from '@pagefault/kernel';

export interface Trace {
  /** The policy that ran while it was recorded. */
  readonly policy: string;
  readonly steps: readonly Step[];
}

export type Step =
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
      steps.push(...residentAtStart(line), ...knownAtStart(line));
    }
    if (line.type === 'event' && line.event.type === 'replied') {
      steps.push({ kind: 'cycle', step: (cycles += 1) });
    }
    if (line.type === 'observation') steps.push(...stepsOf(line.observation));
  }
  return { policy, steps };
}

/** A recording may begin in the middle of a life: what was resident then is born at the start. */
function residentAtStart(header: RecordingHeader): Step[] {
  return header.state.pages
    .filter((page) => page.sealed)
    .map(({ id, kind, messages }) => {
      const tokens = messages.reduce((sum, message) => sum + (message.tokens ?? 0), 0);
      const [firstSeq, lastSeq] = [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0];
      return { kind: 'birth', page: { id, kind, tokens, firstSeq, lastSeq } };
    });
}

function knownAtStart({ policy: { id, version, snapshot = '' } }: RecordingHeader): Step[] {
  return snapshot === '' ? [] : [{ kind: 'restore', policy: id, version, snapshot }];
}

function stepsOf(observation: Observation): Step[] {
  switch (observation.name) {
    case 'page-born': {
      const { page: id, kind, tokens, firstSeq, lastSeq } = observation;
      return [{ kind: 'birth', page: { id, kind, tokens, firstSeq, lastSeq } }];
    }
    case 'page-stubbed':
      return [{ kind: 'stub', page: observation.page }];
    case 'page-needed':
      return [{ kind: 'need', page: observation.page, why: observation.why }];
    case 'reclaim': {
      const { step, release, eligible, sizes, victims } = observation;
      return [{ kind: 'reclaim', step, release, eligible, sizes, evicted: victims }];
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
