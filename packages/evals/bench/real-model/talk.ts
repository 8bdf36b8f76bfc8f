/** Holds the conversation with one model through the real kernel, and notes what each turn did to main context. */
import type { Kernel, MemoryMap, Process, TurnResult } from '@pagefault/kernel';
import { start } from '@pagefault/wiring';
import { CONVERSATION, type Line } from './conversation.js';

export interface TalkOptions {
  readonly baseURL: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly dialect: string;
  readonly layout: string;
  /** Names of the kernel's functions that are offered; all by default. */
  readonly syscalls?: readonly string[];
  /** Tokens: caps what the server has. */
  readonly window: number;
  readonly maxOutput: number;
  readonly summariser: string;
  readonly temperature: number;
  /** Further options of the driver, such as `extraBody`. */
  readonly processor?: object;
  readonly lines?: readonly Line[];
  readonly onTurn?: (report: TurnReport) => void;
}

export interface TurnReport {
  /** From 1. */
  readonly turn: number;
  readonly said: string;
  readonly result: TurnResult;
  readonly seconds: number;
  readonly calls: readonly CallReport[];
  readonly pages: PageMoves;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Only of questions. */
  readonly memory?: { readonly right: boolean; readonly wasEvicted: boolean };
}

export interface CallReport {
  readonly name: string;
  readonly arguments: string;
  readonly isError: boolean;
}

export interface PageMoves {
  readonly born: number;
  readonly evicted: number;
  readonly faults: number;
  readonly resident: number;
  /** Tokens of the next request, and what it may hold. */
  readonly pressure: number;
  readonly budget: number;
}

/** Errors: what `start` and `spawn` say. A failure of the model is in the turn's result. */
export async function holdConversation(options: TalkOptions): Promise<readonly TurnReport[]> {
  await using machine = await start({ env: {}, overrides: stackOf(options) });
  const agent = await machine.kernel.spawn({ name: 'ada' });
  const talk = new Talk(machine.kernel, agent);
  const reports: TurnReport[] = [];
  for (const line of options.lines ?? CONVERSATION) {
    const report = await talk.say(line);
    reports.push(report);
    options.onTurn?.(report);
  }
  return reports;
}

/** In memory and without vectors: what is looked at is the model, and it needs the processor to itself. */
function stackOf({ dialect, layout, syscalls, window, summariser, ...options }: TalkOptions) {
  const { baseURL, model, apiKey, maxOutput, temperature, processor } = options;
  return {
    recall: 'memory',
    archival: 'none',
    embedder: 'none',
    summariser,
    dialect,
    layout,
    window,
    ...(syscalls && { syscalls }),
    processor: {
      driver: 'openai',
      api: 'chat',
      baseURL,
      model,
      ...(apiKey !== undefined && { apiKey }),
      maxOutput,
      temperature,
      window,
      ...processor,
    },
  };
}

class Talk {
  readonly #agent: Process;
  readonly #evicted = new Set<number>();
  /** The page of each line, in order. */
  readonly #pages: number[] = [];
  #born: number[] = [];
  #calls: CallReport[] = [];

  constructor({ bus }: Kernel, agent: Process) {
    this.#agent = agent;
    const asked = new Map<string, string>();
    bus.on('page-born', ({ page }) => void this.#born.push(page));
    bus.on('page-evicted', ({ page }) => void this.#evicted.add(page));
    bus.on('call-started', (call) => void asked.set(call.callId, call.arguments));
    bus.on('call-finished', ({ callId, name, isError }) => {
      this.#calls.push({ name, isError, arguments: asked.get(callId) ?? '' });
    });
  }

  async say({ text, asks }: Line): Promise<TurnReport> {
    [this.#born, this.#calls] = [[], []];
    const before = await this.#agent.map();
    const begun = performance.now();
    const result = await this.#agent.send(text);
    const seconds = (performance.now() - begun) / 1000;
    this.#pages.push(this.#born[0] ?? -1);
    const after = await this.#agent.map();
    const memory = asks && {
      right: asks.expected.every((pattern) => pattern.test(result.text)),
      wasEvicted: asks.toldIn.every((line) => this.#evicted.has(this.#pages[line] ?? -1)),
    };
    return {
      turn: this.#pages.length,
      said: text,
      result,
      seconds,
      calls: this.#calls,
      pages: this.#moves(before, after),
      tokens: {
        input: after.counters.input - before.counters.input,
        output: after.counters.output - before.counters.output,
      },
      ...(memory && { memory }),
    };
  }

  #moves(before: MemoryMap, after: MemoryMap): PageMoves {
    return {
      born: this.#born.length,
      evicted: after.counters.evicted - before.counters.evicted,
      faults: after.counters.faults - before.counters.faults,
      resident: after.pages.length,
      pressure: after.pressure,
      budget: after.budget.tokens,
    };
  }
}
