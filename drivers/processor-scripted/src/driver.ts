import { type InferRequest, PagefaultError, type ProcessorDriver } from '@pagefault/contracts';
import { parseOptions } from '@pagefault/driver-kit';
import { createBase } from './base.js';
import { type ScriptedOptions, scriptedSchema } from './options.js';
import { play } from './script/play.js';
import type { Replies, ScriptedReply } from './script/types.js';

export interface ScriptedProcessor extends ProcessorDriver {
  /** Every request so far, in order: what a test asserts on. */
  readonly requests: readonly InferRequest[];
}

/**
 * A processor that says what it is told to: for tests, and as a double that is slow, fails or lies.
 * Errors of `infer`: what the script throws; `E_PROTOCOL` when the script has no reply left; `E_ABORTED`.
 * Errors of the call itself: `E_CONFIG`.
 */
export function createScriptedProcessor(options: ScriptedOptions): ScriptedProcessor {
  const { replies, name, model, idPrefix, pace, ...settings } = parseOptions(
    'processor-scripted',
    scriptedSchema,
    options,
  );
  const { window, maxOutput, parallelCalls, images, prices } = settings;
  const requests: InferRequest[] = [];
  let minted = 0;
  const mintId = settings.mintId ?? (() => `${idPrefix}${(minted += 1)}`);

  const base = createBase(
    name,
    { model, window, maxOutput, parallelCalls, images, ...(prices && { prices }) },
    async function* (request, signal) {
      const n = requests.push(request) - 1;
      const reply = await replyTo(name, replies, request, n);
      yield* play(reply, { driver: name, mint: (slot) => mintId(slot, String(n)), pace, signal });
    },
  );
  return { ...base, requests };
}

async function replyTo(
  driver: string,
  replies: Replies,
  request: InferRequest,
  n: number,
): Promise<ScriptedReply> {
  if (typeof replies === 'function') return replies(request, n);
  const reply = replies[n];
  if (reply !== undefined) return reply;
  throw new PagefaultError(
    'E_PROTOCOL',
    `the script has ${replies.length} replies, request ${n + 1} has none`,
    {
      driver,
      hint: 'add a reply to `replies`, or give a function of the request',
    },
  );
}
