import type { InterruptKind, Kernel, Process, TurnResult } from '@pagefault/kernel';
import { outcomeLine } from '../shared/outcome.js';
import type { Printer } from '../shared/print.js';
import { printable } from '../../terminal/index.js';
import type { AnswerView } from './answer-view.js';
import type { Lines } from './lines.js';

export interface InterjectionOptions {
  readonly process: Process;
  readonly kernel: Kernel;
  readonly view: AnswerView;
  readonly printer: Printer;
  readonly json: boolean;
  readonly isInteractive: boolean;
  readonly lines: Lines;
}

/**
 * Turns that the user did not begin: of timers, and of what others post to the agent. They are shown whole when they have
 * ended, between what the user types and what is answered.
 */
export class Interjections {
  readonly #options: InterjectionOptions;
  readonly #expected = new Set<string>();
  readonly #forget: (() => void)[];
  /** What began the turn under way, when it was not the user. */
  #kind: InterruptKind | undefined;

  constructor(options: InterjectionOptions) {
    this.#options = options;
    const { kernel, process } = options;
    this.#forget = [
      kernel.bus.on('turn-started', ({ pid, interruptId, kind }) => {
        if (pid === process.pid && !this.#expected.has(interruptId)) this.#begin(kind ?? 'user');
      }),
      kernel.bus.on('turn-result', ({ pid, result }) => {
        if (pid === process.pid) this.#end(result);
      }),
    ];
  }

  /** A message of the user: its turn is shown by whoever sent it. */
  expect(id: string): void {
    this.#expected.add(id);
  }

  close(): void {
    for (const stop of this.#forget) stop();
    this.#options.view.mute(false);
  }

  #begin(kind: InterruptKind): void {
    this.#kind = kind;
    this.#options.view.mute(true);
  }

  #end(result: TurnResult): void {
    const kind = this.#kind;
    this.#expected.delete(result.interruptId);
    if (kind === undefined) return;
    this.#kind = undefined;
    this.#options.view.mute(false);
    this.#options.lines.interject(() => this.#show(kind, result));
  }

  /** A timer that had nothing to say says nothing. */
  #show(kind: InterruptKind, result: TurnResult): void {
    const { printer, json, isInteractive } = this.#options;
    if (json) return printer.json({ type: 'result', kind, ...result });
    const said = result.outcome === 'yielded' ? '' : (outcomeLine(result) ?? printable(result.text));
    if (said === '') return;
    if (isInteractive) printer.line(`${printer.colours.dim(`[${kind}]`)} ${said}`);
    else printer.note(`[${kind}] ${said}`);
  }
}
