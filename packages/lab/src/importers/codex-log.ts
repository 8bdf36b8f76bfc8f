/**
 * Lines of a Codex rollout, as far as they matter to a trace. Other lines are passed over, and it is said which.
 *
 * Each line holds a payload of one type; logs of before September 2025 hold the payloads bare, after a line with the
 * session's id. A session that goes on from another begins with a copy of that one's lines.
 */
import { createHash } from 'node:crypto';
import {
  bare,
  type CodexItem,
  type CodexUsage,
  ITEM,
  item,
  jsonOf,
  meta,
  OTHERS,
  usage,
} from './codex-lines.js';
import { textOfContent } from './content.js';
import { readBytes, readLines } from './lines.js';
import { type ImportOptions, isRecord } from './source.js';

export type CodexEntry =
  | {
      readonly type: 'item';
      readonly item: CodexItem;
      readonly at: number | undefined;
      /** The folder that calls are made in. */
      readonly folder: string;
    }
  | { readonly type: 'usage'; readonly usage: CodexUsage }
  | { readonly type: 'compacted'; readonly text: string }
  /** The program's own words, before all others. */
  | { readonly type: 'instructions'; readonly text: string };

export interface CodexSession {
  readonly id: string;
  /** Whether another session gave it its work. */
  readonly isSidechain: boolean;
  readonly forkedFrom: string | undefined;
  readonly entries: CodexEntry[];
}

/** In the order of the file. A line that is not read is told of, with why. */
export async function readSessions(file: string, options: ImportOptions): Promise<CodexSession[]> {
  const log = new Log(file, options);
  for await (const { text, number } of readLines(readBytes(file))) log.take(text, number);
  return log.sessions();
}

class Log {
  readonly #file: string;
  readonly #options: ImportOptions;
  readonly #seen: Set<string>;
  /** Of items of this file: a file does not repeat itself. */
  readonly #own: string[] = [];
  readonly #sessions: CodexSession[] = [];
  /** The session's lines so far, while all of them are in another file too. */
  #copied: { readonly number: number; readonly isCall: boolean }[] | undefined = [];
  #folder = '';
  #total = '';

  constructor(file: string, options: ImportOptions) {
    this.#file = file;
    this.#options = options;
    this.#seen = options.seen ?? new Set();
  }

  take(text: string, number: number): void {
    if (text.trim() === '') return;
    const why = this.#read(text, number);
    if (why !== undefined) this.#options.onSkipped?.({ file: this.#file, line: number, why });
  }

  sessions(): CodexSession[] {
    this.#settle();
    for (const hash of this.#own) this.#seen.add(hash);
    return this.#sessions;
  }

  /** Why it is not read, when it is not. */
  #read(text: string, number: number): string | undefined {
    const value = jsonOf(text);
    if (!isRecord(value)) return value === undefined ? 'it is not JSON' : 'it is no object';
    const { type, payload } = isRecord(value['payload']) ? value : bare(value);
    if (!isRecord(payload)) return type === undefined ? 'its type is not known' : 'it has no payload';
    if (type === 'session_meta') return this.#begin(payload);
    if (type === 'turn_context') return this.#turn(payload);
    if (type === 'compacted') return this.#compacted(payload);
    if (payload['type'] === 'token_count') return this.#billed(payload);
    if (type === 'response_item') return this.#item(payload, timeOf(value, payload), number);
    return OTHERS.has(type) ? 'it is no message' : 'its type is not known';
  }

  /** Within a copy stand the beginnings of the sessions that it is of. */
  #begin(payload: unknown): string | undefined {
    const read = meta.safeParse(payload);
    if (!read.success) return `its ${String(read.error.issues[0]?.path[0])} is not as expected`;
    const { id, cwd, forked_from_id: from, source, base_instructions: told } = read.data;
    const before = this.#sessions.at(-1);
    if (before && (before.id === id || before.forkedFrom !== undefined || before.isSidechain))
      return 'it is there already';
    this.#settle();
    const isSidechain = isRecord(source) && 'subagent' in source;
    this.#sessions.push({ id, isSidechain, forkedFrom: from ?? undefined, entries: [] });
    this.#copied = [];
    this.#folder = cwd ?? '';
    this.#total = '';
    if (told) this.#push({ type: 'instructions', text: told.text });
    return undefined;
  }

  #turn(payload: Readonly<Record<string, unknown>>): undefined {
    if (typeof payload['cwd'] === 'string') this.#folder = payload['cwd'];
  }

  #compacted({ message, replacement_history: history }: Readonly<Record<string, unknown>>): undefined {
    const last = (Array.isArray(history) ? history : []).findLast(isRecord);
    const text = typeof message === 'string' ? message : '';
    this.#push({ type: 'compacted', text: text === '' ? textOfContent(last?.['content']) : text });
  }

  /** What is told once more, with news of limits, was billed once. */
  #billed(payload: Readonly<Record<string, unknown>>): string | undefined {
    const info = isRecord(payload['info']) ? payload['info'] : payload;
    const read = usage.safeParse(info['last_token_usage'] ?? info);
    if (!read.success) return 'its usage is not as expected';
    const total = JSON.stringify(info['total_token_usage'] ?? '');
    if (read.data.input_tokens === 0 || (total !== '""' && total === this.#total)) return 'it is no message';
    this.#total = total;
    this.#push({ type: 'usage', usage: read.data });
    return undefined;
  }

  #item(payload: unknown, at: number | undefined, number: number): string | undefined {
    const read = item.safeParse(payload);
    if (!read.success) return `its ${String(read.error.issues[0]?.path[0])} is not as expected`;
    if (!ITEM.test(read.data.type)) return 'it is no message';
    const hash = createHash('sha256').update(JSON.stringify(payload)).digest('base64');
    this.#own.push(hash);
    if (this.#seen.has(hash)) this.#copied?.push({ number, isCall: 'call_id' in read.data });
    else this.#settle();
    this.#push({ type: 'item', item: read.data, at, folder: this.#folder });
    return undefined;
  }

  /** Sessions begin alike: it is a copy only with a call in it, whose id is drawn, or when the session says that it is one. */
  #settle(): void {
    const [session, copied] = [this.#sessions.at(-1), this.#copied];
    this.#copied = undefined;
    if (!session || !copied) return;
    if (!copied.some(({ isCall }) => isCall) && session.forkedFrom === undefined) return;
    const own = session.entries.filter(({ type }) => type === 'instructions');
    if (copied.length > 0) session.entries.splice(0, Infinity, ...own);
    for (const { number } of copied)
      this.#options.onSkipped?.({ file: this.#file, line: number, why: 'it is there already' });
  }

  /** A log whose beginning is lost is a session all the same. */
  #push(entry: CodexEntry): void {
    if (this.#sessions.length === 0)
      this.#sessions.push({ id: this.#file, isSidechain: false, forkedFrom: undefined, entries: [] });
    this.#sessions.at(-1)?.entries.push(entry);
  }
}

function timeOf(...places: readonly Readonly<Record<string, unknown>>[]): number | undefined {
  const told = places.map(({ timestamp }) => timestamp).find((one): one is string => typeof one === 'string');
  const at = Date.parse(told ?? '');
  return Number.isFinite(at) ? at : undefined;
}
