/**
 * A paging trace, read from a recording: when pages were born, which were needed, and when and how much the pager asked
 * a policy to release. Needs are derived from the run (search hits, page-ins, repeated calls), not annotated.
 */
import type { NeedReason, PageId, PageView, Tokens } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { type Observation, parseRecordingLine, type RecordingHeader } from '@pagefault/kernel';

export interface Trace {
  /** The policy that ran while it was recorded. */
  readonly policy: string;
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly kind: 'birth'; readonly page: PageView }
  | { readonly kind: 'need'; readonly page: PageId; readonly why: NeedReason }
  | Reclaim
  /** A request was laid out: everything that was sent, and the most that could be. */
  | { readonly kind: 'request'; readonly tokens: Tokens; readonly budget: Tokens };

/** The pager asked for victims; `evicted` is what left in the recorded run. */
export interface Reclaim {
  readonly kind: 'reclaim';
  readonly step: number;
  readonly release: Tokens;
  readonly eligible: readonly PageId[];
  readonly evicted: readonly PageId[];
}

/** Errors: `E_RECORDING` for lines that are none of a recording, or when there is no header. */
export async function readTrace(lines: AsyncIterable<string> | Iterable<string>): Promise<Trace> {
  const steps: Step[] = [];
  let policy: string | undefined;
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text.trim() === '') continue;
    const line = parseRecordingLine(text, number);
    if (line.type === 'header') {
      policy ??= line.policy.id;
      steps.push(...residentAtStart(line));
    }
    if (line.type === 'observation') steps.push(...stepsOf(line.observation));
  }
  if (policy === undefined) {
    throw new PagefaultError('E_RECORDING', 'the recording has no header', {
      hint: 'record with the option `record`',
    });
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

function stepsOf(observation: Observation): Step[] {
  switch (observation.name) {
    case 'page-born': {
      const { page: id, kind, tokens, firstSeq, lastSeq } = observation;
      return [{ kind: 'birth', page: { id, kind, tokens, firstSeq, lastSeq } }];
    }
    case 'page-needed':
      return [{ kind: 'need', page: observation.page, why: observation.why }];
    case 'reclaim': {
      const { step, release, eligible, victims } = observation;
      return [{ kind: 'reclaim', step, release, eligible, evicted: victims }];
    }
    case 'request':
      return [{ kind: 'request', tokens: observation.tokens, budget: observation.budget }];
    default:
      return [];
  }
}
