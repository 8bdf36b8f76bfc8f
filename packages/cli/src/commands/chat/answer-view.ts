import type { Bus, TurnResult } from '@pagefault/kernel';
import { formatError, printable } from '../../terminal/index.js';
import type { Io } from '../shared/io.js';
import type { Notices } from '../shared/notices.js';
import { outcomeLine } from '../shared/outcome.js';
import type { Printer } from '../shared/print.js';
import { createStatus, type Status } from './status.js';

export interface AnswerViewOptions {
  readonly io: Io;
  readonly printer: Printer;
  readonly bus: Bus;
  readonly pid: string;
  /** Begun before the process was found: some of it may be told at once. The view ends it. */
  readonly notices: Notices;
  /** Lines of type `delta` and `result`, or one document a turn: its result. */
  readonly json: 'none' | 'lines' | 'document';
}

/**
 * Shows answers. On a terminal as they are written; to a pipe when they are committed, for what is written before is
 * provisional.
 */
export class AnswerView {
  readonly #options: AnswerViewOptions;
  readonly #forget: (() => void)[];
  readonly #status: Status;
  #shown = '';
  /** A new message of the same turn begins: it is set apart from the one before. */
  #isApart = false;
  #isMuted = false;

  constructor(options: AnswerViewOptions) {
    this.#options = options;
    const { bus, pid, io } = options;
    this.#status = createStatus(io);
    const ours = (event: { readonly pid: string }) => event.pid === pid && !this.#isMuted;
    this.#forget = [
      bus.on('delta', (event) => ours(event) && this.#delta(event.text, event.turnId)),
      bus.on('request', (event) => ours(event) && this.#cycle()),
      bus.on('call-started', (event) => ours(event) && this.#call(event.name)),
    ];
  }

  /** While muted, nothing is shown as it is written. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
  }

  /** Ends what was shown of a turn, and says how it ended when there is no answer. */
  finish(result: TurnResult, more: { readonly resumed?: true } = {}): void {
    const { printer, io, json } = this.#options;
    this.#status.clear();
    if (json === 'document') printer.json(result);
    else if (json === 'lines') printer.json({ type: 'result', ...result, ...more });
    else io.stdout.write(this.#rest(io.stdout.isTTY ? printable(result.text) : result.text));
    this.#reset();
    const line = outcomeLine(result);
    if (line !== undefined) io.stderr.write(`${line}\n`);
    this.#note();
  }

  fail(error: unknown): void {
    const { io } = this.#options;
    this.#status.clear();
    if (this.#shown !== '' && this.#options.json === 'none') io.stdout.write('\n');
    this.#reset();
    io.stderr.write(`${formatError(error)}\n`);
    this.#note();
  }

  close(): void {
    this.#status.clear();
    for (const forget of this.#forget) forget();
    this.#options.notices.close();
  }

  /** When the answer stands: nothing comes in between its words. */
  #note(): void {
    const { notices, pid, printer } = this.#options;
    for (const line of notices.take(pid)) printer.note(line);
  }

  #delta(text: string, turnId: string): void {
    const { io, printer, json } = this.#options;
    this.#status.clear();
    const piece = this.#isApart ? `\n\n${text}` : text;
    if (json === 'document') return;
    if (json === 'lines') printer.json({ type: 'delta', turnId, text: piece });
    else if (io.stdout.isTTY) io.stdout.write(printable(piece));
    else return;
    this.#shown += printable(piece);
    this.#isApart = false;
  }

  #cycle(): void {
    this.#isApart = this.#shown !== '';
    if (this.#shown === '') this.#status.show('thinking …');
  }

  // On a line of its own, or not at all: what is shown so far stays.
  #call(name: string): void {
    if (this.#shown === '' && name !== 'send_message') this.#status.show(`${name} …`);
  }

  /** What the committed answer has beyond what was shown. */
  #rest(text: string): string {
    if (text === '') return this.#shown === '' ? '' : '\n';
    if (text.startsWith(this.#shown)) return `${text.slice(this.#shown.length)}\n`;
    const isSame = withoutSpace(text) === withoutSpace(this.#shown);
    return isSame ? '\n' : `\n${text}\n`;
  }

  #reset(): void {
    this.#shown = '';
    this.#isApart = false;
  }
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
