import { randomUUID } from 'node:crypto';
import type { Kernel, Process } from '@pagefault/kernel';
import { fitWidth } from '../../terminal/index.js';
import { EXIT } from '../shared/io.js';
import { renderBlocks, renderCounters, renderSegments } from '../shared/memory-view.js';
import type { Printer } from '../shared/print.js';
import type { AnswerView } from './answer-view.js';
import { Interjections } from './interjections.js';
import type { Lines } from './lines.js';
import { SLASH_HELP, slashCommand, type SlashCommand } from './slash.js';

export interface SessionOptions {
  readonly process: Process;
  readonly kernel: Kernel;
  readonly view: AnswerView;
  readonly printer: Printer;
  readonly json: boolean;
  /** True when a person types: then a word like /mermory is a mistake, not a message. */
  readonly isInteractive: boolean;
}

/** Columns of a message that failed. */
const SHOWN = 60;

/** A conversation, one message after the other. */
export class Session {
  readonly #options: SessionOptions;
  #stopTurn: (() => void) | undefined;
  #interjections: Interjections | undefined;
  #failures = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Stops the turn that is under way. */
  stopTurn(): void {
    this.#stopTurn?.();
  }

  /** Answers what a crash left unanswered, in view of the user. */
  async resume(): Promise<void> {
    const { process, view, printer } = this.#options;
    const forget = this.#watchLeftovers(() => printer.note('answering what was left unanswered:'));
    this.#stopTurn = () => void process.stopTurn().catch((error: unknown) => view.fail(error));
    try {
      await process.resume();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#stopTurn = undefined;
      for (const stop of forget) stop();
    }
  }

  /** From here on the agent's timers, and what else is posted to it, have their turns too, and are shown. */
  async serve(lines: Lines): Promise<void> {
    const { process, kernel, view, printer, json, isInteractive } = this.#options;
    this.#interjections = new Interjections({ process, kernel, view, printer, json, isInteractive, lines });
    await kernel.serve({ only: process.pid });
  }

  close(): void {
    this.#interjections?.close();
  }

  /** A turn that the crash cut off has begun before; one that waited begins now. */
  #watchLeftovers(announce: () => void): (() => void)[] {
    const { process, view } = this.#options;
    const { bus } = this.#options.kernel;
    let isAnnounced = false;
    const announceOnce = (pid: string) => {
      if (pid !== process.pid || isAnnounced) return;
      isAnnounced = true;
      announce();
    };
    return [
      bus.on('turn-started', ({ pid }) => announceOnce(pid)),
      bus.on('turn-result', ({ pid, result }) => {
        announceOnce(pid);
        if (pid === process.pid) view.finish(result, { resumed: true });
      }),
    ];
  }

  /** Until the lines end. Resolves to the exit code; to a program, a message without an answer is a failure. */
  async run(lines: Lines): Promise<number> {
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
      if (line.trim() === '') continue;
      const command = this.#commandOf(line);
      if (command === 'quit') break;
      lines.setBusy(true);
      await (command === undefined ? this.#say(line) : this.#show(command));
      lines.setBusy(false);
    }
    return this.#failures === 0 || this.#options.isInteractive ? EXIT.ok : EXIT.failure;
  }

  #commandOf(line: string): SlashCommand | 'unknown' | undefined {
    const command = slashCommand(line);
    return command === 'unknown' && !this.#options.isInteractive ? undefined : command;
  }

  async #say(text: string): Promise<void> {
    const { process, view } = this.#options;
    const stop = new AbortController();
    this.#stopTurn = () => stop.abort();
    try {
      const id = randomUUID();
      this.#interjections?.expect(id);
      const result = await process.send({ text, id }, { signal: stop.signal });
      view.finish(result);
      if (result.outcome !== 'answered') this.#failures += 1;
    } catch (error) {
      this.#fail(error);
      // Many lines come one after another there, and what was printed does not tell which of them this was.
      if (!this.#options.isInteractive)
        this.#options.printer.note(`that was about: ${JSON.stringify(fitWidth(text, SHOWN))}`);
    } finally {
      this.#stopTurn = undefined;
    }
  }

  async #show(command: SlashCommand | 'unknown'): Promise<void> {
    const { process, printer, json } = this.#options;
    const { colours } = printer;
    if (command === 'unknown') return printer.note('there is no such command; /help lists them');
    if (command === 'help')
      return json ? printer.json({ type: 'help', text: SLASH_HELP }) : printer.line(SLASH_HELP);
    const map = await process.map().catch((error: unknown) => this.#fail(error));
    if (!map) return;
    if (json) return printer.json({ type: command, ...map });
    if (command === 'memory') return printer.line(renderBlocks(map, colours));
    printer.line(`${renderSegments(map, colours)}\n\n${renderCounters(map, colours)}`);
  }

  #fail(error: unknown): undefined {
    this.#options.view.fail(error);
    this.#failures += 1;
  }
}
