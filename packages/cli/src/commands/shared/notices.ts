import type { Bus, KernelEvents } from '@pagefault/kernel';
import { printable } from '../../terminal/index.js';

type Routed = KernelEvents['processor-routed'][0];

/** What is good to know about the processors, collected until there is a moment to show it: when it changes, not each turn. */
export class Notices {
  readonly #forget: (() => void)[];
  readonly #lines: { readonly pid: string; readonly text: string }[] = [];
  /** Who answers instead of the first, by process and what for; none while the first answers. */
  readonly #standIns = new Map<string, string>();

  constructor(bus: Bus) {
    const note = (pid: string, text: string): void => {
      this.#lines.push({ pid, text: `[${printable(text).replaceAll(/\s+/g, ' ')}]` });
    };
    this.#forget = [
      bus.on('processor-routed', (routed) => {
        const text = this.#changeOf(routed);
        if (text !== undefined) note(routed.pid, text);
      }),
      bus.on('exact-count-failed', ({ pid, error: { message, hint } }) =>
        note(pid, `${message}; ${hint ?? ''}`),
      ),
      bus.on('spend-unknown', ({ pid, processor }) =>
        note(pid, `what ${processor} costs is not known, and does not count for the caps on spending`),
      ),
    ];
  }

  /** Those since the last time, of one process or of all. */
  take(pid?: string): readonly string[] {
    const taken = this.#lines.filter((line) => pid === undefined || line.pid === pid);
    const left = this.#lines.filter((line) => !taken.includes(line));
    this.#lines.splice(0, this.#lines.length, ...left);
    return taken.map(({ text }) => text);
  }

  close(): void {
    for (const stop of this.#forget) stop();
  }

  #changeOf({ pid, summary, answeredBy, passedOver }: Routed): string | undefined {
    const key = `${pid} ${summary ?? false}`;
    const standIn = passedOver.length === 0 ? undefined : answeredBy;
    if (this.#standIns.get(key) === standIn) return undefined;
    if (standIn === undefined) this.#standIns.delete(key);
    else this.#standIns.set(key, standIn);
    const whatFor = summary ? ' for summaries' : '';
    if (standIn === undefined) return `${answeredBy} answers again${whatFor}`;
    const reasons = passedOver.map(({ name, code, message }) => `${name}: ${code}, ${message}`).join('; ');
    return `${answeredBy} answers instead${whatFor}; ${reasons}`;
  }
}
