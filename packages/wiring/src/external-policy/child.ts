import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { PagefaultError, type ErrorCode } from '@pagefault/contracts';
import type { z } from 'zod';
import type { Command } from './command.js';
import { type Asked, type Hello, helloAnswer, PROTOCOL, type Told } from './protocol.js';

export interface ChildOptions {
  readonly cwd: string;
  /** Milliseconds for an answer. */
  readonly answerMs: number;
  /** Milliseconds for the first one: it has to start, and to load what it needs. */
  readonly helloMs: number;
  /** Told of each line of its standard error. */
  readonly onNote: (line: string) => void;
}

interface Gone {
  readonly failed?: string;
  readonly code?: number | null;
  readonly killedBy?: string | null;
  readonly notes: readonly string[];
}

type Answer = { readonly line: string } | { readonly stray: string } | { readonly gone: Gone };

const DOCUMENTED = 'docs/policy-lab.md has the protocol';
/** Told lines wait until something is asked, or until they are so many characters. */
const BATCH = 1_048_576;

/**
 * A program that is asked without the event loop: a worker thread owns it, and this thread sleeps until the answer is there.
 * What fails once stays failed, with the same error.
 */
export class PolicyChild {
  readonly #command: string;
  readonly #options: ChildOptions;
  readonly #worker: Worker;
  readonly #answers: MessagePort;
  readonly #signal = new Int32Array(new SharedArrayBuffer(4));
  readonly #ended: Promise<void>;
  #waiting: string[] = [];
  #size = 0;
  #asked = 0;
  #hello: Hello | undefined;
  death: PagefaultError | undefined;

  constructor({ file, args }: Command, options: ChildOptions) {
    this.#command = [file, ...args].join(' ');
    this.#options = options;
    const { port1, port2 } = new MessageChannel();
    this.#answers = port2;
    this.#worker = new Worker(new URL('../../worker/policy-child.mjs', import.meta.url), {
      workerData: { file, args, cwd: options.cwd, answers: port1, shared: this.#signal.buffer },
      transferList: [port1],
      // Loaders of the parent (a test runner's, a transpiler's) have no business in it.
      execArgv: [],
    });
    this.#worker.unref();
    port2.unref();
    this.#worker.on('message', ({ note }: { readonly note: string }) => options.onNote(note));
    this.#worker.on('error', (error) => void this.#die('E_PROTOCOL', error.message));
    this.#ended = new Promise((resolve) => void this.#worker.once('exit', () => resolve()));
  }

  /** Errors: the one that it died of. */
  tell(message: Told): void {
    if (this.death) throw this.death;
    const line = `${JSON.stringify(message)}\n`;
    this.#waiting.push(line);
    this.#size += line.length;
    if (this.#size <= BATCH) return;
    this.hello();
    this.#send(false);
  }

  /** Nobody will speak of this queue again; it hears of it with what comes next. */
  forget(of: number): void {
    const message: Told = { of, type: 'forget' };
    if (!this.death) this.#waiting.push(`${JSON.stringify(message)}\n`);
  }

  /** Who it is; it is asked once. Errors: as `ask`. */
  hello(): Hello {
    const question = { type: 'hello', protocol: PROTOCOL } as const;
    this.#hello ??= this.#answer(question, helloAnswer, this.#options.helloMs);
    return this.#hello;
  }

  /**
   * Errors: `E_CONFIG` when it cannot be started, `E_TIMEOUT` when it does not answer in time, `E_PROTOCOL` when it ended, or
   * answered something else.
   */
  ask<S extends z.ZodType>(question: Asked, shape: S): z.output<S> {
    this.hello();
    return this.#answer(question, shape, this.#options.answerMs);
  }

  /** Its words did not fit what was asked. */
  refuse(why: string): PagefaultError {
    this.#worker.postMessage({ kills: true });
    return this.#die('E_PROTOCOL', `answer ${this.#asked} ${why}`, `answer as asked; ${DOCUMENTED}`);
  }

  async close(): Promise<void> {
    this.death ??= this.#error('E_PROTOCOL', 'it was closed', 'ask nothing of it any more');
    this.#worker.ref();
    this.#worker.postMessage({ ends: true });
    await this.#ended;
    this.#answers.close();
  }

  #answer<S extends z.ZodType>(question: Asked, shape: S, ms: number): z.output<S> {
    if (this.death) throw this.death;
    const line = `${JSON.stringify(question)}\n`;
    // What was told before anybody listened comes after the hello.
    if (question.type === 'hello') this.#worker.postMessage({ text: line, asks: true });
    else {
      this.#waiting.push(line);
      this.#send(true);
    }
    this.#asked++;
    return this.#read(this.#wait(ms, question.type), shape);
  }

  #send(asks: boolean): void {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#size = 0;
    this.#worker.postMessage({ text, asks });
  }

  #wait(ms: number, what: string): Answer {
    const until = Date.now() + ms;
    for (;;) {
      const seen = Atomics.load(this.#signal, 0);
      const received: { readonly message: Answer } | undefined = receiveMessageOnPort(this.#answers);
      if (received) return received.message;
      const left = until - Date.now();
      if (left <= 0 || Atomics.wait(this.#signal, 0, seen, left) === 'timed-out') throw this.#late(ms, what);
    }
  }

  #late(ms: number, what: string): PagefaultError {
    this.#worker.postMessage({ kills: true });
    const hint = 'does it read each line as it comes, and flush its answer? In Python: print(…, flush=True)';
    return this.#die('E_TIMEOUT', `it did not answer \`${what}\` within ${ms} ms, and was ended`, hint);
  }

  #read<S extends z.ZodType>(answer: Answer, shape: S): z.output<S> {
    if ('gone' in answer) throw this.#left(answer.gone);
    if ('stray' in answer) throw this.refuse(`was there before it was asked for: ${shown(answer.stray)}`);
    const parsed = shape.safeParse(jsonOf(answer.line));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.');
    const what = field ? `${field}: ${issue?.message}` : 'it is no such object';
    throw this.refuse(`is ${shown(answer.line)}: ${what}`);
  }

  #left({ failed, code, killedBy, notes }: Gone): PagefaultError {
    if (failed !== undefined)
      return this.#die(
        'E_CONFIG',
        `it cannot be started: ${failed}`,
        'is it installed, and is the path right?',
      );
    const how = killedBy ? `was ended by ${killedBy}` : `ended with code ${code}`;
    const last = notes.length > 0 ? `; it said last: ${notes.map((line) => shown(line)).join(', ')}` : '';
    const hint = 'it must read lines until its standard input ends';
    return this.#die('E_PROTOCOL', `it ${how} after ${this.#asked - 1} answers${last}`, hint);
  }

  #die(code: ErrorCode, why: string, hint = DOCUMENTED): PagefaultError {
    this.death ??= this.#error(code, why, hint);
    return this.death;
  }

  #error(code: ErrorCode, why: string, hint: string): PagefaultError {
    return new PagefaultError(code, `policy "${this.#command}": ${why}`, { hint });
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // The shape refuses it, and the line is told.
  }
}

const shown = (line: string) => JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line);
