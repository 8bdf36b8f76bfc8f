/** Runs a recording again, without a model or a store: the same events through the same core. */
import { findDialect } from '../../core/dialect/registry.js';
import type { Effect } from '../../core/events.js';
import { findLayout } from '../../core/layout/registry.js';
import { Machine } from '../../core/machine.js';
import type { Observation } from '../../core/observation.js';
import { readRecording, type RecordingHeader, type RecordingLine } from '../../core/recording.js';
import { DEFAULT_LIMITS } from '../../limits.js';
import { guardPolicy } from '../../guard/policy.js';
import type { PolicyFactory } from '../../policy/policy.js';
import { findPolicy } from '../../policy/registry.js';
import { configurePolicy, rebuildPolicy } from '../processes/policy-state.js';
import { requestHash } from './recording.js';

export interface RerunReport {
  readonly events: number;
  readonly requests: number;
  /** Requests whose bytes are the recorded ones. */
  readonly equal: number;
  /** The first request that differs, from 1. */
  readonly firstDifference?: number;
  /** The first event after which something else was noticed than was recorded, from 1. */
  readonly firstOtherEvent?: number;
  readonly flushes: number;
  readonly evicted: number;
  /** True when the last line was torn, as a kill leaves it; it is passed over. */
  readonly torn: boolean;
}

export interface RerunOptions {
  /** Sees each effect, for example to print the requests. */
  readonly onEffect?: (effect: Effect) => void;
  /** Policies beside those that ship, for recordings that were made under them; found by their id. */
  readonly policies?: readonly PolicyFactory[];
}

/**
 * Errors: `E_RECORDING` when a line is not one of a recording, or its header is of another version; `E_CONFIG` when its
 * policy is not known.
 */
export async function rerun(
  lines: AsyncIterable<string> | Iterable<string>,
  options: RerunOptions = {},
): Promise<RerunReport> {
  const comparison = new Comparison(options);
  for await (const line of readRecording(lines)) {
    if (line.type === 'torn') comparison.torn = true;
    else comparison.take(line);
  }
  return comparison.report();
}

/** What a recording says after an event: an observation, or the hash of a request. */
type Said = Observation | string;

function saidBy(effect: Effect): Said[] {
  if (effect.type === 'observe') return [effect.observation];
  return effect.type === 'infer' || effect.type === 'laid-out' ? [requestHash(effect.request)] : [];
}

const HINTS: ReadonlySet<string> = new Set(['facts', 'terms', 'failed', 'supersedes', 'focus']);

/**
 * An observation without what it says of a page's content: recordings of before have none of it, and how text is
 * analysed may change. Where it matters, other pages leave, and that is compared.
 */
function decisive(observation: Observation): string {
  return JSON.stringify(observation, (key, value: unknown) => (HINTS.has(key) ? undefined : value));
}

class Comparison {
  readonly #options: RerunOptions;
  readonly #tally = { events: 0, requests: 0, equal: 0, flushes: 0, evicted: 0 };
  #machine: Machine | undefined;
  /** What this run sent and noticed after the last event, and the recording has not said yet. */
  #unsaid: Said[] = [];
  #firstDifference: number | undefined;
  #firstOtherEvent: number | undefined;
  torn = false;

  constructor(options: RerunOptions) {
    this.#options = options;
  }

  take(line: RecordingLine): void {
    if (line.type === 'header') this.#machine = machineOf(line, this.#options.policies);
    if (line.type === 'event') this.#step(line.event);
    if (line.type === 'observation') this.#compareObservation(line.observation);
    if (line.type === 'request') this.#compareRequest(line.sha256);
  }

  report(): RerunReport {
    return {
      ...this.#tally,
      ...(this.#firstDifference !== undefined && { firstDifference: this.#firstDifference }),
      ...(this.#firstOtherEvent !== undefined && { firstOtherEvent: this.#firstOtherEvent }),
      torn: this.torn,
    };
  }

  #step(event: Extract<RecordingLine, { type: 'event' }>['event']): void {
    // At the end of a recording that was cut off, some of what was said may be missing; not before.
    if (this.#unsaid.length > 0) this.#noteOther();
    this.#tally.events++;
    const effects = this.#machine?.step(event) ?? [];
    for (const effect of effects) this.#options.onEffect?.(effect);
    this.#unsaid = effects.flatMap(saidBy);
    for (const said of this.#unsaid) if (typeof said !== 'string') this.#count(said);
  }

  #compareObservation(recorded: Observation): void {
    const said = this.#unsaid.shift();
    if (typeof said !== 'object' || decisive(said) !== decisive(recorded)) this.#noteOther();
  }

  #noteOther(): void {
    this.#firstOtherEvent ??= this.#tally.events;
  }

  #compareRequest(sha256: string): void {
    this.#tally.requests++;
    if (this.#unsaid.shift() === sha256) this.#tally.equal++;
    else this.#firstDifference ??= this.#tally.requests;
  }

  #count(observation: Observation): void {
    if (observation.name === 'flush-finished') this.#tally.flushes++;
    if (observation.name === 'page-evicted') this.#tally.evicted++;
  }
}

function machineOf(
  { config: recorded, ...header }: RecordingHeader,
  policies: readonly PolicyFactory[] | undefined,
): Machine {
  // A limit that is younger than the recording had no effect in it.
  const config = { ...recorded, limits: { ...DEFAULT_LIMITS, ...recorded.limits } };
  // One that throws was left out from then on, and is again.
  const policy = guardPolicy(findPolicy(header.policy.id, policies)(), () => undefined);
  configurePolicy(policy, config);
  const snapshot = Buffer.from(header.policy.snapshot ?? '', 'base64');
  if (!policy.restore(snapshot, header.policy.version)) rebuildPolicy(policy, header.state);
  const saved = header.state.head.lastSeq > 0 ? header.state : undefined;
  const parts = { policy, layout: findLayout(config.layout), dialect: findDialect(config.dialect) };
  return new Machine(config, parts, header.state, saved);
}
