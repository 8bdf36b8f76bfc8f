/** Runs one cycle on a processor and turns what comes into the core's event. */
import type { Bill, InferRequest, ProcessorDriver, Reply } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { SPEECH } from '../../core/dialect/dialect.js';
import type { Failure } from '../../core/outcome.js';
import { Billing } from '../../processor/billing.js';
import { AnswerStream } from './answer-stream.js';

/** With what was billed beside the reply, or instead of one. */
export type CycleOutcome = { readonly bills: readonly Bill[] } & (
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly failure: Failure; readonly partial: string }
);

/**
 * `onText` gets the user's text as it is written; it is provisional. `speaksBesideCalls`: plain text is the user's too,
 * whatever is called beside it.
 */
export async function runCycle(
  processor: ProcessorDriver,
  request: InferRequest,
  signal: AbortSignal,
  onText: (text: string) => void,
  speaksBesideCalls: boolean,
): Promise<CycleOutcome> {
  const view = new ReplyView(onText, speaksBesideCalls);
  const billing = new Billing();
  try {
    for await (const event of processor.infer(request, signal)) {
      if (event.type === 'finish')
        return { ok: true, reply: event.reply, bills: billing.beside(event.attempt) };
      billing.take(event);
      view.take(event);
    }
    throw new PagefaultError('E_PROTOCOL', 'the stream ended without a finish', { driver: processor.name });
  } catch (error) {
    const failure = failureOf(error, signal);
    return { ok: false, failure, partial: view.partial, bills: billing.ofFailure(error) };
  }
}

class ReplyView {
  readonly #onText: (text: string) => void;
  readonly #answers = new Map<number, AnswerStream>();
  readonly #showsText: boolean;
  #text = '';
  #shown = '';

  constructor(onText: (text: string) => void, showsText: boolean) {
    this.#onText = onText;
    this.#showsText = showsText;
  }

  /** What is kept when the stream breaks: what the user saw, else what the model thought. */
  get partial(): string {
    return this.#shown || this.#text;
  }

  take(event: { type: string; delta?: string; slot?: number; name?: string }): void {
    if (event.type === 'text') this.#takeText(event.delta ?? '');
    if (event.type === 'call' && event.name === SPEECH)
      this.#answers.set(event.slot ?? 0, new AnswerStream());
    if (event.type !== 'arguments') return;
    const fresh = this.#answers.get(event.slot ?? 0)?.push(event.delta ?? '');
    if (fresh) this.#show(fresh);
  }

  #takeText(delta: string): void {
    this.#text += delta;
    if (this.#showsText && delta !== '') this.#show(delta);
  }

  #show(text: string): void {
    this.#shown += text;
    this.#onText(text);
  }
}

export function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted && PagefaultError.is(signal.reason)) return toFailure(signal.reason);
  if (signal.aborted) return { code: 'E_ABORTED', message: 'stopped by the caller' };
  if (PagefaultError.is(error)) return toFailure(error);
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'E_PROTOCOL', message: `the processor driver failed: ${message}` };
}

export function toFailure(error: PagefaultError): Failure {
  return { code: error.code, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
}
