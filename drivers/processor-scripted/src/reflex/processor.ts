import { createHash } from 'node:crypto';
import type { InferRequest, ProcessorDriver } from '@pagefault/contracts';
import { parseOptions } from '@pagefault/driver-kit';
import { assemble } from '../assemble.js';
import { createBase } from '../base.js';
import { type MintId, type ReflexOptions, reflexSchema } from '../options.js';
import { playDeltas } from '../script/play.js';
import { decide } from './decide.js';

const NAME = 'reflex';

/**
 * A processor of rules that needs no model. It speaks both dialects, as the functions that it is offered show, keeps no
 * state and gives the same reply to the same request. Errors of `infer`: `E_NOT_OPEN`, `E_ABORTED`. Errors of the call itself: `E_CONFIG`.
 */
export function createReflexProcessor(options: ReflexOptions = {}): ProcessorDriver {
  const { window, maxOutput, pace, prices, mintId = digestId } = parseOptions(NAME, reflexSchema, options);
  const sizes = { window, maxOutput, ...(prices && { prices }) };
  const manifest = { model: NAME, ...sizes, parallelCalls: true, images: false };
  return createBase(NAME, manifest, async function* (request, signal) {
    const plan = decide(request);
    const fingerprint = fingerprintOf(request);
    const mint = (slot: number) => mintId(slot, fingerprint);
    yield* playDeltas(plan, false, { driver: NAME, mint, pace, signal });
    yield { type: 'finish', reply: assemble(plan, mint) };
  });
}

/** Message ids are unique in a process, so two cycles never have the same messages. */
function fingerprintOf(request: InferRequest): string {
  return createHash('sha256').update(JSON.stringify(request.messages)).digest('hex').slice(0, 24);
}

/** Needs no counter, which would begin again at each start of a durable process. */
const digestId: MintId = (slot, fingerprint) => `call_${fingerprint}_${slot}`;
