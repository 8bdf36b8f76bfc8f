import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io, Screen } from '../shared/io.js';
import type { Lines } from './lines.js';

export interface PromptOptions {
  readonly io: Io;
  /** Newest first. */
  readonly history: readonly string[];
  readonly prompt: string;
  /** Called at Ctrl-C while busy. */
  readonly onStop: () => void;
  readonly onHint: (text: string) => void;
}

/** As many lines as the history file keeps. */
export const HISTORY_LINES = 1000;

/** Lines that a person types. What is typed during a turn waits, and is shown when its turn comes. */
export function createPrompt(options: PromptOptions): Lines {
  return new Prompt(options);
}

class Prompt implements Lines {
  readonly #options: PromptOptions;
  readonly #screen: QuietScreen;
  readonly #readline: Interface;
  readonly #typed: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #isClosed = false;
  /** The next Ctrl-C at the empty prompt leaves. */
  #isLeaving = false;

  constructor(options: PromptOptions) {
    this.#options = options;
    const { io, history, prompt } = options;
    this.#screen = new QuietScreen(io.stdout.isTTY ? io.stdout : io.stderr);
    this.#readline = createInterface({
      input: io.stdin,
      output: this.#screen,
      terminal: true,
      prompt,
      history: [...history],
      historySize: HISTORY_LINES,
      removeHistoryDuplicates: true,
    });
    this.#readline.on('line', (line) => this.#take(line));
    this.#readline.on('close', () => this.#end());
    this.#readline.on('SIGINT', () => this.#interrupt());
  }

  next(): Promise<string | undefined> {
    const line = this.#typed.shift();
    if (line !== undefined) {
      this.#screen.write(`${this.#options.prompt}${line}\n`);
      return Promise.resolve(line);
    }
    if (this.#isClosed) return Promise.resolve(undefined);
    const typed = new Promise<string | undefined>((resolve) => (this.#waiting = resolve));
    this.#readline.prompt(true);
    return typed;
  }

  setBusy(isBusy: boolean): void {
    this.#screen.isQuiet = isBusy;
  }

  interject(show: () => void): void {
    const isPrompting = this.#waiting !== undefined;
    if (isPrompting) this.#screen.write('\r\u001b[J');
    show();
    if (isPrompting) this.#readline.prompt(true);
  }

  close(): void {
    this.#typed.length = 0;
    this.#readline.close();
  }

  #take(line: string): void {
    this.#isLeaving = false;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(line);
    else this.#typed.push(line);
  }

  #end(): void {
    this.#isClosed = true;
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }

  #interrupt(): void {
    const isAgain = this.#isLeaving;
    this.#isLeaving = true;
    if (this.#screen.isQuiet) return this.#options.onStop();
    if (this.#readline.line !== '') return this.#clearLine();
    if (isAgain) return this.#readline.close();
    this.#screen.write('\n');
    this.#options.onHint('Ctrl-C again, Ctrl-D or /quit to leave');
    this.#readline.prompt();
  }

  #clearLine(): void {
    this.#isLeaving = false;
    this.#readline.write(null, { ctrl: true, name: 'e' });
    this.#readline.write(null, { ctrl: true, name: 'u' });
  }
}

/** The terminal, unless it shall be quiet. */
class QuietScreen extends Writable {
  isQuiet = false;
  readonly #screen: Screen;

  constructor(screen: Screen) {
    super({ decodeStrings: false });
    this.#screen = screen;
    screen.on('resize', () => this.emit('resize'));
  }

  get columns(): number | undefined {
    return this.#screen.columns;
  }

  override _write(chunk: string | Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    if (!this.isQuiet) this.#screen.write(chunk);
    done();
  }
}
