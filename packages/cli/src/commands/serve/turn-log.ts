import type { InterruptKind, Kernel, TurnResult } from '@pagefault/kernel';
import { fitWidth, formatError, printable } from '../../terminal/index.js';
import type { Io } from '../shared/io.js';
import { Notices } from '../shared/notices.js';
import { outcomeLine } from '../shared/outcome.js';
import { createPrinter, type Printer } from '../shared/print.js';

/** Prints a line for each turn that ends: when, whose, what began it, how it ended, what was said. */
export class TurnLog {
  readonly #io: Io;
  readonly #kernel: Kernel;
  readonly #json: boolean;
  readonly #printer: Printer;
  readonly #forget: (() => void)[];
  readonly #notices: Notices;
  readonly #kinds = new Map<string, InterruptKind>();
  readonly #names = new Map<string, Promise<string>>();
  /** In the order in which the turns ended, though names are looked up meanwhile. */
  #printing: Promise<void> = Promise.resolve();

  constructor(io: Io, kernel: Kernel, json: boolean) {
    [this.#io, this.#kernel, this.#json, this.#printer] = [io, kernel, json, createPrinter(io)];
    const { bus } = kernel;
    this.#notices = new Notices(bus);
    this.#forget = [
      bus.on('turn-started', ({ pid, turnId, kind }) => this.#started(pid, turnId, kind ?? 'user')),
      bus.on('turn-result', ({ pid, result }) => this.#ended(pid, result)),
      bus.on('serve-failed', ({ error }) => void io.stderr.write(`${formatError(error)}\n`)),
    ];
  }

  /** Resolves when all is printed. */
  async close(): Promise<void> {
    for (const stop of this.#forget) stop();
    this.#notices.close();
    await this.#printing;
  }

  // The name while the kernel is open: the turn may be the last one.
  #started(pid: string, turnId: string, kind: InterruptKind): void {
    this.#kinds.set(turnId, kind);
    void this.#nameOf(pid);
  }

  /** One that a crash cut off began before this program: what began it is not known. */
  #ended(pid: string, result: TurnResult): void {
    const at = this.#io.now();
    const kind = this.#kinds.get(result.turnId) ?? 'user';
    this.#kinds.delete(result.turnId);
    const notices = this.#notices.take(pid);
    this.#printing = Promise.all([this.#nameOf(pid), this.#printing]).then(([name]) => {
      this.#print({ at, pid, name, kind, result });
      for (const notice of notices) this.#printer.note(`${name} ${notice}`);
    });
  }

  #nameOf(pid: string): Promise<string> {
    const name =
      this.#names.get(pid) ??
      this.#kernel.open(pid).then(
        (process) => process.name,
        () => pid,
      );
    this.#names.set(pid, name);
    return name;
  }

  #print({ at, pid, name, kind, result }: Turn): void {
    if (this.#json) return this.#printer.json({ type: 'result', at, pid, name, kind, ...result });
    const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
    const said = saidBy(kind, result);
    const line = `${time} ${name} ${kind} ${result.outcome}${said === '' ? '' : `: ${said}`}`;
    const { columns = 80, isTTY } = this.#io.stdout;
    this.#printer.line(isTTY ? fitWidth(printable(line), columns) : printable(line));
  }
}

interface Turn {
  readonly at: number;
  readonly pid: string;
  readonly name: string;
  readonly kind: InterruptKind;
  readonly result: TurnResult;
}

/** On one line. That nobody was answered is worth a word only when somebody waited. */
function saidBy(kind: InterruptKind, result: TurnResult): string {
  if (result.outcome === 'yielded' && kind !== 'user') return '';
  return outcomeLine(result) ?? result.text.replaceAll(/\s+/g, ' ').trim();
}
