/** Serves processes that nobody waits for: so many at once, each once at a time, in the order in which they came. */
import type { Pid } from '@pagefault/contracts';

export interface BackgroundPort {
  readonly most: number;
  serve(pid: Pid): Promise<void>;
  onFailure(pid: Pid, error: unknown): void;
}

export class Background {
  readonly #port: BackgroundPort;
  readonly #waiting = new Set<Pid>();
  readonly #serving = new Map<Pid, Promise<void>>();
  #isStopped = false;

  constructor(port: BackgroundPort) {
    this.#port = port;
  }

  /** One that is served now is served once more after it: what came may have come too late for it. */
  add(pid: Pid): void {
    if (this.#isStopped) return;
    this.#waiting.add(pid);
    this.#fill();
  }

  /** Begins nothing any more. Those under way are for others to stop; resolves when they have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await Promise.all(this.#serving.values());
  }

  #fill(): void {
    for (const pid of this.#waiting) {
      if (this.#serving.size >= this.#port.most) return;
      if (this.#serving.has(pid)) continue;
      this.#waiting.delete(pid);
      this.#serving.set(pid, this.#serve(pid));
    }
  }

  async #serve(pid: Pid): Promise<void> {
    try {
      await this.#port.serve(pid);
    } catch (error) {
      this.#port.onFailure(pid, error);
    } finally {
      this.#serving.delete(pid);
      this.#fill();
    }
  }
}
