/** A life on changing providers, lived in real kernels over one memory. */
import {
  type InferRequest,
  LATEST,
  type LogEntry,
  PagefaultError,
  type Pid,
  type ProcessorDriver,
} from '@pagefault/contracts';
import type { HeardRequest } from '@pagefault/doubles';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { z } from 'zod';
import { boot } from '../../src/boot.js';
import type { Kernel } from '../../src/shell/kernel.js';
import type { Process } from '../../src/shell/process.js';
import { extractive } from '../../src/summariser/extractive.js';
import { defineTool } from '../../src/tool.js';
import { keptOpen } from '../support/recall.js';
import type { Life, Step } from './any-life.js';
import { PROVIDERS, type ProviderName, type Said } from './providers.js';

/** A request of the kernel with what became of it on the wire. */
export interface Sent extends HeardRequest {
  readonly provider: ProviderName;
  readonly request: InferRequest;
}

export interface Lived {
  readonly sent: readonly Sent[];
  readonly refused: readonly string[];
  readonly outcomes: readonly string[];
  readonly log: readonly LogEntry[];
  readonly events: readonly string[];
  readonly swaps: number;
  readonly deaths: number;
}

const SYSCALLS = ['send_message', 'core_memory_append', 'conversation_search', 'page_in'];
const WATCHED = ['flush-finished', 'page-stubbed', 'page-evicted', 'page-needed', 'blocks-rendered'] as const;
const DEAD = 'the machine is gone';

class Living {
  readonly sent: Sent[] = [];
  readonly refused: string[] = [];
  readonly outcomes: string[] = [];
  readonly events: string[] = [];
  swaps = 0;
  deaths = 0;
  readonly #life: Life;
  readonly #recall = keptOpen(createMemoryRecall());
  #kernel: Kernel | undefined;
  #process: Process | undefined;
  #pid: Pid | undefined;
  #said = 0;
  #stop = new AbortController();
  #stopAt: number | undefined;
  /** From the next call of a function on, nothing is written any more. */
  #isDying = false;
  #isDead = false;

  constructor(life: Life) {
    this.#life = life;
  }

  async live(): Promise<Lived> {
    const { first, steps } = this.#life;
    await this.#begin(first);
    for (const step of steps) await this.#take(step);
    // What a death left open is put right by the next turn.
    await this.#send('Say: are you there?', {});
    await this.#kernel?.close();
    const { items } = await this.#recall.read([{ pid: this.#pid ?? '', upTo: LATEST }], { limit: 10_000 });
    const { sent, refused, outcomes, events, swaps, deaths } = this;
    return { sent, refused, outcomes, log: items, events, swaps, deaths };
  }

  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case 'feed':
        return this.#feed(step);
      case 'send':
        return this.#send(step.text, step);
      case 'swap':
        if (step.dying) await this.#die();
        await this.#kernel?.close().catch((error: unknown) => this.#expectDead(error));
        this.swaps += 1;
        return this.#begin(step.to);
    }
  }

  /** A model may have filled its blocks until nothing fits beside them: then a message is kept, and told to be too much. */
  async #feed({ text, role }: Extract<Step, { do: 'feed' }>): Promise<void> {
    const fed = this.#process?.append([{ text, role }]);
    await fed?.catch((error: unknown) => {
      if (!isIrreducible(error)) throw error;
      this.outcomes.push('failed');
    });
  }

  async #send(text: string, { name, stopAt }: { name?: string | undefined; stopAt?: number | undefined }) {
    this.#stop = new AbortController();
    this.#stopAt = stopAt;
    const { signal } = this.#stop;
    const turn = await this.#process?.send({ text, ...(name === undefined ? {} : { name }) }, { signal });
    this.outcomes.push(turn?.outcome ?? 'none');
  }

  /** As after kill -9: what was not written until now never is. */
  async #die(): Promise<void> {
    this.#isDying = true;
    await this.#process?.send('Say: what now?').catch((error: unknown) => this.#expectDead(error));
    this.#isDying = false;
    this.deaths += Number(this.#isDead);
  }

  #expectDead(error: unknown): void {
    if (!this.#isDead) throw error;
  }

  async #begin(provider: ProviderName): Promise<void> {
    this.#isDead = false;
    const { dialect, layout, summarises } = this.#life;
    const { processor, heard } = PROVIDERS[provider](() => this.#says(), `${this.swaps}`);
    this.#kernel = await boot({
      recall: this.#mortal(),
      processor: this.#watched(processor, heard, provider),
      dialect,
      layout,
      syscalls: SYSCALLS,
      tools: [this.#look()],
      limits: { maxCycles: 5 },
      program: { instructions: 'You remember.' },
      ...(summarises ? {} : { summariser: extractive }),
    });
    for (const name of WATCHED) this.#kernel.bus.on(name, () => this.events.push(name));
    this.#process = await (this.#pid === undefined ? this.#kernel.spawn() : this.#kernel.open(this.#pid));
    this.#pid = this.#process.pid;
  }

  #says(): Said {
    const { says } = this.#life;
    if (this.#stopAt === 0) this.#stop.abort();
    if (this.#stopAt !== undefined) this.#stopAt -= 1;
    return says[this.#said++ % says.length] ?? {};
  }

  /** A store that a machine writes to until it dies. */
  #mortal() {
    const base = this.#recall;
    let isDead = false;
    this.#kill = () => (isDead = true);
    const alive = <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) => {
      return async (...args: Args): Promise<T> => {
        if (isDead) throw new Error(DEAD);
        return work(...args);
      };
    };
    return {
      ...base,
      commit: alive((...args: Parameters<typeof base.commit>) => base.commit(...args)),
      read: alive((...args: Parameters<typeof base.read>) => base.read(...args)),
      load: alive((...args: Parameters<typeof base.load>) => base.load(...args)),
    };
  }

  #kill: () => void = () => undefined;

  #look() {
    return defineTool({
      name: 'look',
      help: 'Looks at something.',
      parameters: z.object({ size: z.number().optional() }),
      effect: 'once',
      run: async ({ size = 1 }) => {
        if (this.#isDying) {
          this.#isDead = true;
          this.#kill();
        }
        return 'wool 🦙 '.repeat(size);
      },
    });
  }

  #watched(processor: ProcessorDriver, heard: readonly HeardRequest[], provider: ProviderName) {
    const note = (request: InferRequest, since: number): void => {
      for (const one of heard.slice(since)) {
        this.sent.push({ ...one, provider, request });
        this.refused.push(...one.problems.map((problem) => `${provider}: ${problem}`));
      }
    };
    const watched: ProcessorDriver = {
      ...processor,
      async *infer(given, signal) {
        const request = frozen(given);
        const since = heard.length;
        try {
          yield* processor.infer(request, signal);
        } finally {
          note(request, since);
        }
      },
    };
    return watched;
  }
}

function isIrreducible(error: unknown): boolean {
  return error instanceof PagefaultError && error.code === 'E_CONTEXT_IRREDUCIBLE';
}

export function live(life: Life): Promise<Lived> {
  return new Living(life).live();
}

/** A driver that changed the history which it is handed would fail by it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
