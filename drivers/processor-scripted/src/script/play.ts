import type { ProcessorEvent } from '@pagefault/contracts';
import { orAborted } from '../abort.js';
import { assemble } from '../assemble.js';
import { refuseWhenAborted } from '../base.js';
import type { Pace } from '../options.js';
import { type PlannedReply, UNKNOWN_USAGE } from '../plan.js';
import { deltas, deltaText } from '../stream.js';
import type { ReplyScript, ScriptedCall, ScriptedReply } from './types.js';

export interface Stage {
  readonly driver: string;
  readonly mint: (slot: number) => string;
  readonly pace: Pace | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Streams one scripted reply, with whatever trouble the script asks for. */
export async function* play(written: ScriptedReply, stage: Stage): AsyncGenerator<ProcessorEvent, void> {
  const script: ReplyScript = typeof written === 'string' ? { text: written } : written;
  const { driver, signal } = stage;
  if (script.before !== undefined) {
    await orAborted(driver, typeof script.before === 'function' ? script.before() : script.before, signal);
  }
  if (script.usedSoFar !== undefined)
    yield { type: 'usage', usage: { ...UNKNOWN_USAGE, ...script.usedSoFar } };
  const plan = planOf(script);
  yield* playDeltas(plan, script.broken === 'half', stage);
  if (script.error !== undefined) throw script.error;
  if (script.broken === 'hang') await orAborted(driver, new Promise<never>(() => undefined), signal);
  if (script.broken === 'no-finish' || script.broken === 'half') return;
  const finish: ProcessorEvent = { type: 'finish', reply: assemble(plan, stage.mint) };
  yield finish;
  if (script.broken === 'two-finishes') yield finish;
}

/** The deltas of a plan, or the first half of them. Errors: `E_ABORTED`. */
export async function* playDeltas(
  plan: PlannedReply,
  half: boolean,
  { driver, pace, signal }: Stage,
): AsyncGenerator<ProcessorEvent, void> {
  const all = [...deltas(plan)];
  for (const event of half ? all.slice(0, Math.ceil(all.length / 2)) : all) {
    refuseWhenAborted(driver, signal);
    yield event;
    if (pace !== undefined) await orAborted(driver, pace(deltaText(event), signal), signal);
  }
  refuseWhenAborted(driver, signal);
}

function planOf(script: ReplyScript): PlannedReply {
  const calls = (script.calls ?? []).map(planCall);
  return {
    ...(script.thinking === undefined ? {} : { thinking: script.thinking }),
    ...(script.text === undefined ? {} : { text: script.text }),
    calls,
    reason: script.reason ?? (calls.length > 0 ? 'calls' : 'stop'),
    usage: { ...UNKNOWN_USAGE, ...script.usage },
  };
}

function planCall({ name, arguments: given = {} }: ScriptedCall) {
  return { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
}
