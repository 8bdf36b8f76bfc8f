/** A random life, lived in a kernel. */
import type { InferRequest, LogEntry, Pid, RecallDriver, Row } from '@pagefault/contracts';
import { LATEST, PagefaultError } from '@pagefault/contracts';
import type { ReplyFunction, ReplyScript } from '@pagefault/driver-processor-scripted';
import { z } from 'zod';
import { budgetOf } from '../../src/core/budget.js';
import type { TurnResult } from '../../src/core/outcome.js';
import { defineTool, type Process } from '../../src/index.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { findPolicy } from '../../src/policy/registry.js';
import type { Kernel } from '../../src/shell/kernel.js';
import { countPiece } from './count.js';
import { marker } from './erasing.js';
import type { Deed, Life, LifeStep } from './any-life.js';
import { keptOpen } from './recall.js';
import { lineSink, recordedIn } from './recording.js';
import { ask, FEW_SYSCALLS, hasResults, lastResult, startKernel, tell } from './stack.js';

const MAX_OUTPUT = 200;
let lives = 0;

/** One process while it lives. Ids and time hang on the steps alone, so that a life can be lived again. */
export class Living {
  readonly requests: { readonly request: InferRequest; readonly tokens: number; readonly budget: number }[] =
    [];
  readonly results: TurnResult[] = [];
  /** Lines of each recording, one an attachment. */
  readonly recordings: string[][] = [];
  readonly #life: Life;
  readonly #recall: RecallDriver;
  readonly #mark: string;
  #kernel: Kernel | undefined;
  #process: Process | undefined;
  #window: number;
  #instead: ReplyFunction | undefined;
  #at = 0;
  #restarts = 0;
  #part = 'birth';
  #minted = 0;
  #said = 0;
  #asked = 0;
  #calls = 0;

  /** Of two lives with one `mark`, in two stores, the ids are the same. */
  constructor(life: Life, recall: RecallDriver, mark = `life${(lives += 1)}`) {
    [this.#life, this.#recall, this.#mark, this.#window] = [life, keptOpen(recall), mark, life.window];
  }

  get process(): Process {
    if (!this.#process) throw new Error('it has not begun');
    return this.#process;
  }

  get pid(): Pid {
    return this.process.pid;
  }

  async begin(): Promise<void> {
    this.#kernel = await this.#boot();
    this.#process = await this.#kernel.spawn({
      instructions: 'You remember.',
      blocks: [{ name: 'human' }, { name: 'persona', value: 'I am.', readOnly: true }],
    });
  }

  async take(step: LifeStep): Promise<void> {
    if (step.do !== 'swap') this.#begins(`${(this.#at += 1)}`);
    switch (step.do) {
      case 'send':
        return void this.results.push(await this.process.send(this.#text(step.size)));
      case 'feed':
        return void (await this.process.append([
          { text: this.#text(step.size), role: step.size % 2 === 0 ? 'user' : 'assistant' },
        ]));
      case 'edit':
        return void (await this.process.blocks.set(
          'human',
          this.#text(step.size).slice(0, 1_500).toWellFormed(),
        ));
      case 'archive':
        // A passage has a limit of its own.
        return void (await this.process.archive([{ text: this.#text(Math.min(step.size, 10_000)) }]));
      case 'pin':
      case 'unpin': {
        const { pages } = await this.process.map();
        const page = pages.at(-1 - step.back);
        // What is refused changes nothing.
        return page && this.process[step.do](`m${page.firstSeq}`).catch(() => undefined);
      }
      case 'swap':
        return this.restart(step.window);
    }
  }

  async live(): Promise<this> {
    await this.begin();
    for (const step of this.#life.steps) await this.take(step);
    return this;
  }

  /** What the model would be given for this call. The turn is thrown away. */
  async given(name: string, args: object): Promise<string> {
    let result = '';
    this.#instead = (request) => {
      if (!hasResults(request)) return ask(name, args);
      result = lastResult(request);
      return tell('ok');
    };
    await this.process.ask('?').finally(() => (this.#instead = undefined));
    return result;
  }

  /** Another kernel takes it over. */
  async restart(window = this.#window): Promise<void> {
    const { pid } = this;
    this.#begins(`restart-${(this.#restarts += 1)}`);
    await this.close();
    this.#window = window;
    this.#kernel = await this.#boot();
    this.#process = await this.#kernel.open(pid);
  }

  async close(): Promise<void> {
    await this.#kernel?.close();
  }

  async log(): Promise<readonly LogEntry[]> {
    const { items } = await this.#recall.read([{ pid: this.pid, upTo: LATEST }], { limit: 10_000 });
    return items;
  }

  rows(...spaces: readonly string[]): Promise<readonly Row[]> {
    return this.#recall.load(this.pid, spaces);
  }

  /** A restart takes no time and no ids away from the steps. */
  #begins(part: string): void {
    [this.#part, this.#minted] = [part, 0];
  }

  /** Each text has a word that is nowhere else. */
  #text(size: number): string {
    const { filler } = this.#life;
    const words = filler
      .repeat(Math.ceil(size / filler.length))
      .slice(0, size)
      .toWellFormed();
    return `${marker((this.#said += 1))} ${words}`.trim();
  }

  async #boot(): Promise<Kernel> {
    const { dialect, layout, policy } = this.#life;
    const record = recordedIn(lineSink());
    const { kernel } = await startKernel({
      recall: this.#recall,
      dialect,
      layout,
      policy: findPolicy(policy),
      syscalls: [...FEW_SYSCALLS, 'pin'],
      limits: { maxCycles: 6 },
      tools: [this.#reader()],
      countPiece,
      record: { ...record, open: () => this.#tape() },
      replies: (request, n) => this.#instead?.(request, n) ?? this.#reply(),
      script: { window: this.#window, maxOutput: MAX_OUTPUT, mintId: () => `call_${(this.#calls += 1)}` },
      clock: { now: () => 1_700_000_000_000 + this.#at * 60_000, at: () => () => undefined },
      mintId: () => `${this.#mark}-${this.#part}-${(this.#minted += 1)}`,
      onRequest: (_, request, tokens) => this.requests.push({ request, tokens, budget: this.#budget() }),
    });
    return kernel;
  }

  #budget(): number {
    const processor = { driver: 'scripted', model: 'scripted', window: this.#window, maxOutput: MAX_OUTPUT };
    return budgetOf(processor, DEFAULT_LIMITS).tokens;
  }

  #tape() {
    const sink = lineSink();
    this.recordings.push(sink.lines);
    return sink;
  }

  #reader() {
    const parameters = z.object({ n: z.number(), size: z.number() });
    const run = async ({ size }: { readonly size: number }) => this.#text(size);
    return defineTool({ name: 'read', help: 'Reads.', parameters, effect: 'pure', run });
  }

  #reply(): ReplyScript {
    const { deeds } = this.#life;
    const { deed, size } = deeds[this.#asked++ % deeds.length] ?? { deed: 'tell', size: 1 };
    return this.#doing(deed, Math.min(size, 3_000));
  }

  #doing(deed: Deed['deed'], size: number): ReplyScript {
    const call = (name: string, args: object = {}) => ({
      name,
      arguments: { ...args, request_heartbeat: true },
    });
    const read = () => call('read', { n: this.#asked, size });
    switch (deed) {
      case 'tell':
        return { calls: [{ name: 'send_message', arguments: { message: this.#text(size) } }] };
      case 'say':
        return { text: this.#text(size), usage: { plain: 1 + size, output: 5 } };
      case 'read':
        return { thinking: 'hm', calls: [read()] };
      case 'read twice':
        return { text: this.#text(3), calls: [read(), call('read', { n: -this.#asked, size: 10 })] };
      case 'append':
        return { calls: [call('core_memory_append', { name: 'human', content: this.#text(size % 200) })] };
      case 'store':
        return { calls: [call('archival_memory_insert', { content: this.#text(size) })] };
      case 'search':
        return { calls: [call('conversation_search', { query: marker(1 + (size % 9)) })] };
      case 'page in':
        return { calls: [call('page_in', { handle: `m${1 + (size % 9)}` })] };
      case 'pin':
        return { calls: [call('pin', { handle: `m${1 + (size % 20)}` })] };
      case 'nonsense':
        return { calls: [{ name: 'read', arguments: '{"n":' }, call('nothing of that name')] };
      case 'nothing':
        return { text: ' ' };
      case 'refuse':
        return { text: 'No.', reason: 'refused' };
      case 'be cut':
        return { text: this.#text(size), reason: 'length' };
      case 'be too long':
        return { error: new PagefaultError('E_CONTEXT_OVERFLOW', 'too long') };
      case 'be down':
        return { error: new PagefaultError('E_OVERLOADED', 'busy') };
      case 'break off':
        return { text: this.#text(size), broken: 'half' };
    }
  }
}

/** Lives it, looks at it while it is there, and closes it whatever becomes of it. */
export async function livedOn<T>(
  recall: RecallDriver,
  life: Life,
  look: (living: Living) => T | Promise<T>,
  mark?: string,
): Promise<T> {
  const living = new Living(life, recall, mark);
  try {
    return await look(await living.live());
  } finally {
    await living.close();
  }
}
