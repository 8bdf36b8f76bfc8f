/** Runs a recording again, without a model or a store: the same events through the same core. */
import { memgpt } from '../core/dialect/memgpt.js';
import type { Effect } from '../core/events.js';
import { classic } from '../core/layout/classic.js';
import { Machine } from '../core/machine.js';
import type { Observation } from '../core/observation.js';
import { findPolicy } from '../policy/registry.js';
import { configurePolicy, rebuildPolicy } from './policy-state.js';
import {
  brokenRecording,
  parseRecordingLine,
  RECORDING_VERSION,
  type RecordingHeader,
} from '../core/recording.js';
import { requestHash } from './recording.js';

export interface RerunReport {
  readonly events: number;
  readonly requests: number;
  /** Requests whose bytes are the recorded ones. */
  readonly equal: number;
  /** The first request that differs, from 1. */
  readonly firstDifference?: number;
  readonly flushes: number;
  readonly evicted: number;
}

export interface RerunOptions {
  /** Sees each effect, for example to print the requests. */
  readonly onEffect?: (effect: Effect) => void;
}

/**
 * Errors: `E_RECORDING` when a line is not one of a recording, or its header is of another version.
 */
export async function rerun(
  lines: AsyncIterable<string> | Iterable<string>,
  options: RerunOptions = {},
): Promise<RerunReport> {
  let machine: Machine | undefined;
  let produced: Effect[] = [];
  const tally = { events: 0, requests: 0, equal: 0, flushes: 0, evicted: 0 };
  let firstDifference: number | undefined;
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text.trim() === '') continue;
    const line = parseRecordingLine(text, number);
    if (line.type === 'header') machine = machineOf(line);
    if (!machine) throw brokenRecording(number, 'there is no header before it');
    if (line.type === 'event') {
      tally.events++;
      produced = machine.step(line.event).filter((effect) => (options.onEffect?.(effect), true));
      for (const effect of produced) if (effect.type === 'observe') count(tally, effect.observation);
    }
    if (line.type !== 'request') continue;
    tally.requests++;
    const sent = produced.find((effect) => effect.type === 'infer' || effect.type === 'laid-out');
    if (sent && 'request' in sent && requestHash(sent.request) === line.sha256) tally.equal++;
    else firstDifference ??= tally.requests;
  }
  return { ...tally, ...(firstDifference !== undefined && { firstDifference }) };
}

function count(tally: { flushes: number; evicted: number }, observation: Observation): void {
  if (observation.name === 'flush-finished') tally.flushes++;
  if (observation.name === 'page-evicted') tally.evicted++;
}

function machineOf(header: RecordingHeader): Machine {
  const version: number = header.version;
  if (version !== RECORDING_VERSION) {
    throw brokenRecording(1, `the recording is of version ${version}, this kernel runs ${RECORDING_VERSION}`);
  }
  const policy = findPolicy(header.policy.id)();
  configurePolicy(policy, header.config);
  const snapshot = Buffer.from(header.policy.snapshot ?? '', 'base64');
  if (!policy.restore(snapshot, header.policy.version)) rebuildPolicy(policy, header.state);
  const saved = header.state.head.lastSeq > 0 ? header.state : undefined;
  return new Machine(header.config, { policy, layout: classic, dialect: memgpt }, header.state, saved);
}
