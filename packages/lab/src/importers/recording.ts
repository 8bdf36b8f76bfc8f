/**
 * Our own recordings: what the kernel's policy was told, cycle by cycle. Pages that were resident when it began are born
 * before the first step.
 *
 * Needs are re-reads by default: a page was paged in by its handle, or a call was made again that had its result there. With
 * `needs: 'derived'` they are search hits: pages that answer what the model searched for, more than it will have used. What
 * the model used because it was in sight leaves no mark, so that needs are fewer than there were.
 */
import type { NeedReason, PageView } from '@pagefault/contracts';
import { type Observation, readRecording, type RecordingLine, residentViews } from '@pagefault/kernel';
import type { NeedKind, TraceLine } from '../trace/format.js';
import { TraceBuilder } from './builder.js';
import { readBytes, readLines } from './lines.js';
import { headerOf, type ImportOptions, isRecord, needKind, type TraceSource } from './source.js';

const KIND: Record<NeedReason, NeedKind> = {
  'page-in': 're-read',
  'repeated-call': 're-read',
  'search-hit': 'derived',
};

export const recording: TraceSource = {
  name: 'recording',
  reads: 'recordings of Pagefault (--record)',
  needs: ['re-read', 'derived'],
  needsFrom: 're-read: paged in, or called again; derived: found by a search',
  licence: 'yours',
  files: /\.(?:jsonl|rec)$/,
  matches: ({ first }) =>
    isRecord(first) && first['type'] === 'header' && 'config' in first && 'policy' in first,
  read: readRun,
};

async function* readRun(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const tokenizer = 'the processor’s count, before calibration';
  yield await headerOf(recording, file, options, { clock: 'recorded', tokenizer });
  const run = new Run(needKind(recording, options), (why) => options.onSkipped?.({ file, why }));
  for await (const line of readRecording(textsOf(file))) {
    if (line.type === 'torn') options.onSkipped?.({ file, why: 'the last line is torn' });
    else yield* run.take(line);
  }
  yield* run.end();
}

async function* textsOf(file: string): AsyncGenerator<string> {
  for await (const { text } of readLines(readBytes(file))) yield text;
}

interface Cycle {
  readonly at: number;
  readonly out: number;
  readonly usage: { readonly read: number; readonly write: number; readonly plain: number } | undefined;
  readonly needs: number[];
  /** Born, superseded and ended after the reply: they belong to the next step. */
  readonly after: Observation[];
}

/** A step is written when the next reply comes: its needs are seen only after the reply that they come from. */
class Run {
  readonly #trace: TraceBuilder;
  readonly #kind: NeedKind | undefined;
  readonly #skip: (why: string) => void;
  /** The kernel's ids to ours. */
  readonly #pages = new Map<number, number>();
  #cycle: Cycle | undefined;
  #start: number | undefined;

  constructor(kind: NeedKind | undefined, skip: (why: string) => void) {
    this.#kind = kind;
    this.#trace = new TraceBuilder(kind);
    this.#skip = skip;
  }

  *take(line: RecordingLine): Generator<TraceLine> {
    if (line.type === 'header') for (const view of residentViews(line.state)) yield* this.#birth(view);
    if (line.type === 'event' && line.event.type === 'replied') {
      yield* this.end();
      this.#cycle = cycleOf(line.event);
      this.#start ??= this.#cycle.at;
    }
    if (line.type === 'observation') yield* this.#noticed(line.observation);
  }

  *#noticed(seen: Observation): Generator<TraceLine> {
    if (seen.name === 'page-needed') this.#needed(seen.page, seen.why);
    else if (this.#cycle) this.#cycle.after.push(seen);
    else yield* this.#said(seen);
  }

  #needed(page: number, why: NeedReason): void {
    if (KIND[why] !== this.#kind) return;
    const ours = this.#pages.get(page);
    if (ours === undefined) this.#skip('a page is needed that left before the recording began');
    else this.#cycle?.needs.push(ours);
  }

  *#said(seen: Observation): Generator<TraceLine> {
    if (seen.name === 'page-born') {
      const { name: _, page: id, ...told } = seen;
      yield* this.#birth({ id, ...told });
    } else if (seen.name === 'flush-finished') yield this.#trace.boundary('compact');
    else if (seen.name === 'turn-ended') yield this.#trace.boundary('subtask_end');
  }

  *#birth({ id, kind, tokens: tok, failed, terms, supersedes = [] }: PageView): Generator<TraceLine> {
    const told = { ...(failed && { failed }), ...(terms && { terms: [...terms] }) };
    const page = this.#trace.page({ tok, kind, ref: `page ${id}`, ...told });
    this.#pages.set(id, page.id);
    yield page;
    for (const old of supersedes) {
      const ours = this.#pages.get(old);
      if (ours !== undefined) yield this.#trace.supersede(ours, page.id);
    }
  }

  *end(): Generator<TraceLine> {
    const cycle = this.#cycle;
    if (!cycle) return;
    yield this.#trace.step(cycle.out, cycle.needs, cycle.at - (this.#start ?? cycle.at));
    if (cycle.usage) yield this.#trace.usage({ ...cycle.usage, out: cycle.out });
    this.#cycle = undefined;
    for (const seen of cycle.after) yield* this.#said(seen);
  }
}

type Replied = Extract<Extract<RecordingLine, { type: 'event' }>['event'], { type: 'replied' }>;

function cycleOf({ at, reply: { usage } }: Replied): Cycle {
  const { cached: read, written: write, plain, output: out } = usage;
  // Nothing at all means that the provider did not say.
  const isKnown = read + write + plain > 0;
  return { at, out, usage: isKnown ? { read, write, plain } : undefined, needs: [], after: [] };
}
