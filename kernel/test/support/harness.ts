/**
 * Drives a machine without a shell: effects are performed at once by pure doubles, so a test is a list of what was
 * said. Nothing is asynchronous and nothing is random.
 */
import type { InferRequest, Message, Reply, Role } from '@pagefault/contracts';
import type { MachineConfig } from '../../src/core/config.js';
import { type DialectName, findDialect } from '../../src/core/dialect/registry.js';
import type { CallOutcome, Effect, Event, SummaryInput } from '../../src/core/events.js';
import type { Failure } from '../../src/core/outcome.js';
import { findLayout, type LayoutName } from '../../src/core/layout/registry.js';
import { Machine } from '../../src/core/machine.js';
import type { Observation } from '../../src/core/observation.js';
import type { TurnResult } from '../../src/core/outcome.js';
import { type Block, createState, type ProcessState } from '../../src/core/state.js';
import { DEFAULT_LIMITS, type Limits } from '../../src/limits.js';
import { fifo } from '../../src/policy/fifo.js';
import type { PagingPolicy } from '../../src/policy/policy.js';
import { rebuildPolicy } from '../../src/shell/processes/policy-state.js';
import { countPiece } from './count.js';
import { says } from './replies.js';
import { Store } from './store.js';

export type Answer = Reply | { readonly failure: Failure; readonly partial?: string };
export type Call = Extract<Effect, { type: 'call' }>;

export interface HarnessOptions {
  readonly window?: number;
  readonly maxOutput?: number;
  readonly limits?: Partial<Limits>;
  readonly blocks?: readonly Block[];
  readonly instructions?: string;
  readonly zone?: string;
  readonly tools?: MachineConfig['tools'];
  readonly model?: string;
  readonly vectors?: boolean;
  /** Default `memgpt`. */
  readonly dialect?: DialectName;
  /** Default `stable`. */
  readonly layout?: LayoutName;
  readonly policy?: () => PagingPolicy;
  /** What the processor says; default: "ok". */
  readonly reply?: (request: InferRequest, n: number) => Answer;
  /** What a function comes to that is not one of the kernel's own. */
  readonly tool?: (call: Call) => CallOutcome;
  readonly summarise?: (input: SummaryInput) => string;
  /** Default: a token for four code points, and four a piece. */
  readonly count?: typeof countPiece;
}

export class Harness {
  readonly config: MachineConfig;
  readonly store: Store;
  readonly requests: { readonly request: InferRequest; readonly tokens: number; readonly budget: number }[] =
    [];
  readonly observations: Observation[] = [];
  readonly summaries: SummaryInput[] = [];
  readonly calls: Call[] = [];
  readonly effects: Effect[] = [];
  readonly events: Event[] = [];
  machine: Machine;
  now = 1_700_000_000_000;
  /** Effects of these types end a drive without being performed: a crash at that point. */
  stopBefore: Effect['type'] | undefined;
  readonly #options: HarnessOptions;
  #minted = 0;

  constructor(options: HarnessOptions = {}, store = new Store(), config = configOf(options)) {
    this.#options = options;
    this.config = config;
    this.store = store;
    const isNew = store.commits.length === 0;
    const state = isNew ? createState({ pid: 'p1', blocks: options.blocks ?? [] }) : store.state();
    this.machine = this.#machine(state, isNew ? undefined : state);
    this.drive({ type: 'attached', at: this.now, interrupted: [] });
  }

  get state(): ProcessState {
    return this.machine.state;
  }

  /** A new machine from what is stored, as after a crash; `interrupted` calls must not run again. */
  reload(change: HarnessOptions & { readonly interrupted?: readonly string[] } = {}): TurnResult | undefined {
    const options = { ...this.#options, ...change };
    Object.assign(this.#options, change);
    const config = configOf(options);
    Object.assign(this.config, config);
    const state = this.store.state();
    this.machine = this.#machine(state, state);
    return this.drive({ type: 'attached', at: this.now, interrupted: change.interrupted ?? [] });
  }

  send(text: string, message: Partial<Message> = {}): TurnResult {
    const result = this.drive(this.interrupt(text, message));
    if (!result) throw new Error('the turn did not end');
    return result;
  }

  /** A transcript's message: laid out, not run. */
  feed(text: string, role: Role = 'user'): TurnResult {
    const result = this.drive(this.interrupt(text, { role }, false));
    if (!result) throw new Error('the turn did not end');
    return result;
  }

  /** Sets a block from outside. */
  edit(name: string, value: string, by = 'user'): void {
    this.drive({ type: 'edited', at: this.now, by, edits: [{ kind: 'set', name, value }] });
  }

  interrupt(text: string, message: Partial<Message> = {}, respond = true): Event {
    const id = message.id ?? this.mint('u');
    const full: Message = { id, role: 'user', at: this.now, parts: [{ type: 'text', text }], ...message };
    const interrupt = { id, kind: 'user', message: full, respond } as const;
    return { type: 'interrupt', at: (this.now += 1_000), turnId: this.mint('t'), interrupt };
  }

  drive(first: Event): TurnResult | undefined {
    let result: TurnResult | undefined;
    for (let event: Event | undefined = first; event;) {
      this.events.push(event);
      const effects: readonly Effect[] = this.machine.step(event);
      event = undefined;
      for (const effect of effects) {
        if (effect.type === this.stopBefore) return undefined;
        this.effects.push(effect);
        if (effect.type === 'end') result = effect.result;
        event = this.#perform(effect) ?? event;
      }
    }
    return result;
  }

  mint(prefix: string): string {
    return `${prefix}-${(this.#minted += 1)}`;
  }

  observed<Name extends Observation['name']>(name: Name): Extract<Observation, { name: Name }>[] {
    return this.observations.filter((one): one is Extract<Observation, { name: Name }> => one.name === name);
  }

  /** Texts of the queue as the last request showed them. */
  lastMessages(): readonly Message[] {
    return this.requests.at(-1)?.request.messages ?? [];
  }

  #machine(state: ProcessState, saved: ProcessState | undefined): Machine {
    const policy = (this.#options.policy ?? fifo)();
    if (saved) rebuildPolicy(policy, saved);
    return new Machine(
      this.config,
      { policy, layout: findLayout(this.config.layout), dialect: findDialect(this.config.dialect) },
      state,
      saved,
    );
  }

  #perform(effect: Effect): Event | undefined {
    switch (effect.type) {
      case 'observe':
        this.observations.push(effect.observation);
        return undefined;
      case 'commit':
        this.store.apply(effect.commit);
        return undefined;
      case 'count':
        return {
          type: 'counted',
          tokens: Object.fromEntries(
            effect.pieces.map(({ key, piece }) => [key, (this.#options.count ?? countPiece)(piece)]),
          ),
        };
      case 'summarise':
        this.summaries.push(effect.input);
        return {
          type: 'summarised',
          text: (this.#options.summarise ?? shortSummary)(effect.input),
          by: 'double',
        };
      case 'laid-out':
        this.#note(effect);
        return undefined;
      case 'infer':
        return this.#answer(this.#note(effect));
      case 'call':
        return this.#call(effect);
      case 'end':
        return undefined;
    }
  }

  #note({ request, tokens }: { request: InferRequest; tokens: number }): InferRequest {
    this.requests.push({ request, tokens, budget: this.machine.budget.tokens });
    return request;
  }

  #answer(request: InferRequest): Event {
    const answer = (this.#options.reply ?? (() => says('ok')))(request, this.requests.length - 1);
    const stamp = { at: (this.now += 1_000), messageId: this.mint('a') };
    if ('failure' in answer)
      return { type: 'infer-failed', ...stamp, failure: answer.failure, partial: answer.partial ?? '' };
    return { type: 'replied', ...stamp, reply: answer };
  }

  #call(call: Call): Event {
    this.calls.push(call);
    const outcome = ownOutcome(call) ?? (this.#options.tool ?? (() => ({ text: 'done' })))(call);
    return {
      type: 'call-finished',
      at: (this.now += 1_000),
      callId: call.callId,
      messageId: this.mint('r'),
      outcome,
    };
  }
}

function shortSummary(input: SummaryInput): string {
  return `Summary of ${input.messages.length} messages.`;
}

/** The kernel's own functions, without their checks. */
function ownOutcome(call: Call): CallOutcome | undefined {
  const args = JSON.parse(call.arguments) as Record<string, string>;
  const {
    name = '',
    content = '',
    message = '',
    handle = '',
    old_content: from = '',
    new_content: to = '',
  } = args;
  switch (call.name) {
    case 'send_message':
      return { text: 'Sent.', answer: message };
    case 'core_memory_append':
      return { text: '', edit: { kind: 'append', name, content } };
    case 'core_memory_replace':
      return { text: '', edit: { kind: 'replace', name, from, to } };
    case 'pin':
    case 'unpin':
      return { text: '', pin: { kind: call.name, handle } };
    default:
      return undefined;
  }
}

export function configOf(options: HarnessOptions): MachineConfig {
  const { window = 2_000, maxOutput = 400, limits, instructions = 'You remember.', tools = [] } = options;
  return {
    pid: 'p1',
    limits: { ...DEFAULT_LIMITS, ...limits },
    instructions,
    tools,
    processor: { driver: 'double', model: options.model ?? 'm', window, maxOutput },
    layout: options.layout ?? 'stable',
    dialect: options.dialect ?? 'memgpt',
    policy: (options.policy ?? fifo)().id,
    ...(options.zone !== undefined && { zone: options.zone }),
    vectors: options.vectors ?? false,
  };
}
