import type { ProcessorEvent } from '@pagefault/contracts';
import type { PlannedReply } from './plan.js';

/** Code points of one delta: small enough to look typed, and to make consumers join pieces. */
const PIECE = 8;

/** The deltas of a reply: thinking, text, then each call. Never cuts a surrogate pair. */
export function* deltas(plan: PlannedReply): Generator<ProcessorEvent, void> {
  for (const delta of pieces(plan.thinking ?? '')) yield { type: 'thinking', delta };
  for (const delta of pieces(plan.text ?? '')) yield { type: 'text', delta };
  for (const [slot, call] of plan.calls.entries()) {
    yield { type: 'call', slot, name: call.name };
    for (const delta of pieces(call.arguments)) yield { type: 'arguments', slot, delta };
  }
}

/** `text` in pieces of at most `PIECE` code points that join to `text`. */
export function* pieces(text: string): Generator<string, void> {
  let piece = '';
  let size = 0;
  for (const character of text) {
    piece += character;
    size += 1;
    if (size < PIECE) continue;
    yield piece;
    piece = '';
    size = 0;
  }
  if (piece !== '') yield piece;
}

export function deltaText(event: ProcessorEvent): string {
  return 'delta' in event ? event.delta : '';
}
