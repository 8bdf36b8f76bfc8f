/**
 * A session of an agent that works with tools, as lines of a trace: a reply is a step; texts, calls and results are pages.
 *
 * Needs are re-reads: a call whose thing was read before needs the newest reading of it, which the new one then supersedes.
 * A result that is an error is no reading.
 */
import type { BoundaryKind, PageLine, TraceLine, TracePageKind, UsageLine } from '../trace/format.js';
import { isDefined, Readings, type TraceBuilder } from './builder.js';

export interface AgentCall {
  /** By which its result names it. */
  readonly id: string | undefined;
  /** What it reads; undefined when to make it again is to do something else. */
  readonly of: string | undefined;
  readonly tok: number;
}

export interface AgentReply {
  readonly type: 'reply';
  /** Milliseconds since 1970; undefined when the log does not say. */
  readonly at: number | undefined;
  readonly out: number;
  /** Tokens of what it says beside its calls; undefined when it says nothing. */
  readonly text: number | undefined;
  readonly calls: readonly AgentCall[];
  readonly usage: Omit<UsageLine, 'type' | 'step'> | undefined;
}

export interface AgentResult {
  readonly type: 'result';
  readonly call: string | undefined;
  readonly tok: number;
  readonly failed: boolean;
}

export type AgentEvent =
  | AgentReply
  | AgentResult
  | { readonly type: 'text'; readonly kind: TracePageKind; readonly tok: number }
  | { readonly type: 'boundary'; readonly kind: BoundaryKind };

export class AgentSession {
  readonly #trace: TraceBuilder;
  readonly #name: (text: string) => string;
  readonly #session: string;
  readonly #readings = new Readings();
  /** Calls by their ids, with the page they stand in. */
  readonly #calls = new Map<string, { readonly of: string | undefined; readonly page: number }>();
  /** When it began, and how late the trace was then. */
  #start: number | undefined;
  readonly #offset: number;

  /** `name` hides what must not be seen. */
  constructor(trace: TraceBuilder, name: (text: string) => string, session: string) {
    this.#trace = trace;
    this.#name = name;
    this.#session = name(session);
    this.#offset = trace.time;
  }

  *lines(events: Iterable<AgentEvent>): Generator<TraceLine> {
    for (const event of events) {
      if (event.type === 'reply') yield* this.#reply(event);
      else if (event.type === 'result') yield* this.#result(event);
      else if (event.type === 'text') yield this.#page({ kind: event.kind, tok: event.tok });
      else yield this.#trace.boundary(event.kind);
    }
  }

  *#reply({ at, out, text, calls, usage }: AgentReply): Generator<TraceLine> {
    const needs = calls.map(({ of }) => (of === undefined ? undefined : this.#readings.latest(of)));
    yield this.#trace.step(out, needs.filter(isDefined), this.#since(at));
    if (usage) yield this.#trace.usage(usage);
    if (text !== undefined) yield this.#page({ kind: 'assistant', tok: text });
    for (const { id, of, tok } of calls) {
      const page = this.#page({ kind: 'tool_call', tok });
      yield page;
      if (id !== undefined) this.#calls.set(id, { of, page: page.id });
    }
  }

  *#result({ call: id, tok, failed }: AgentResult): Generator<TraceLine> {
    const call = this.#calls.get(id ?? '');
    const of = call?.of;
    const page = this.#page({
      kind: 'tool_result',
      tok,
      ...(of !== undefined && { obj: this.#name(of), ver: this.#readings.nextVersion(of) }),
      ...(call && { parent: call.page }),
      ...(failed && { failed }),
    });
    yield page;
    if (of === undefined || failed) return;
    const before = this.#readings.add(of, page.id);
    if (before !== undefined) yield this.#trace.supersede(before, page.id);
  }

  #page(told: Pick<PageLine, 'kind' | 'tok'> & Partial<PageLine>): PageLine {
    return this.#trace.page({ session: this.#session, ...told });
  }

  #since(at: number | undefined): number | undefined {
    if (at === undefined) return undefined;
    return this.#offset + (at - (this.#start ??= at));
  }
}
