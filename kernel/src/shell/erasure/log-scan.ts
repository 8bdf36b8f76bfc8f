/**
 * Looks through a log, oldest first, for what goes: the messages that are meant, and every copy that memory put back of
 * them. A copy comes after what it is a copy of, so one pass finds copies of copies too.
 */
import type { CallPart, LogEntry, Message, MessageId, Part, Seq } from '@pagefault/contracts';
import { isKernelAnswer, messageText } from '../../core/documents.js';
import type { QuoteFinder } from '../../core/quotes.js';
import { handleOf } from '../../core/stub.js';
import { isNews } from '../../core/summary.js';
import { normaliseText } from '../../core/text.js';
import type { Place } from './job.js';

const INSERT = 'archival_memory_insert';

export interface Wanted {
  readonly isWanted: (message: Message) => boolean;
  /** Handles of what goes that is not in this log. */
  readonly handles: Iterable<string>;
  readonly quotes: QuoteFinder;
}

export class LogScan {
  readonly #isWanted: Wanted['isWanted'];
  readonly quotes: QuoteFinder;
  readonly handles: Set<string>;
  readonly places: Place[] = [];
  readonly ids: MessageId[] = [];
  /** Those that a summary may stand for. */
  readonly news: Seq[] = [];
  /** Passages that a message which goes had stored. */
  readonly passages: string[] = [];
  /** Interrupts of whose turn an answer goes. */
  readonly answered = new Set<MessageId>();
  /** Messages that stay and quote what goes. */
  readonly quoting: MessageId[] = [];
  readonly #goneSpeakers = new Set<string>();
  readonly #speakers = new Set<string>();
  /** What calls that go asked to store, by call id, until their result is met. */
  readonly #inserts = new Map<string, string>();
  #copies = 0;
  /** What began the turn that is looked at. */
  #interrupt: MessageId | undefined;

  constructor({ isWanted, handles, quotes }: Wanted) {
    [this.#isWanted, this.handles, this.quotes] = [isWanted, new Set(handles), quotes];
  }

  get copies(): number {
    return this.#copies;
  }

  /** Names under which nobody speaks any more. */
  get speakers(): readonly string[] {
    return [...this.#goneSpeakers].filter((name) => !this.#speakers.has(name));
  }

  /** Texts that messages which go had stored, and whose result is not in the log: it may have been erased before them. */
  get unlinked(): ReadonlySet<string> {
    return new Set(this.#inserts.values());
  }

  take(entry: LogEntry): void {
    const { message } = entry;
    if (isInterrupt(message)) this.#interrupt = message.id;
    this.#takeInserted(message);
    if (this.#isWanted(message)) return this.#erase(entry, true);
    if (this.#isCopy(message)) return this.#erase(entry, false);
    if (message.name !== undefined) this.#speakers.add(message.name);
    if (this.quotes.isQuotedIn(allText(message))) this.quoting.push(message.id);
  }

  #erase({ seq, page, message }: LogEntry, isOriginal: boolean): void {
    this.places.push({ seq, page });
    this.ids.push(message.id);
    this.handles.add(handleOf(seq));
    if (message.role === 'assistant' && this.#interrupt !== undefined) this.answered.add(this.#interrupt);
    if (message.name !== undefined) this.#goneSpeakers.add(message.name);
    if (isNews(message)) this.news.push(seq);
    if (!isOriginal) this.#copies++;
    // What a copy shows beside may be of others.
    else this.#remember(message);
  }

  #remember(message: Message): void {
    this.quotes.add(allText({ ...message, parts: message.parts.filter(isOwn) }));
    for (const part of message.parts) if (part.type === 'call' && part.name === INSERT) this.#addInsert(part);
  }

  #addInsert({ callId, arguments: json }: CallPart): void {
    const text = storedText(json);
    if (text !== undefined) this.#inserts.set(callId, text);
  }

  /** The result of a call that goes names the passage that it stored. */
  #takeInserted({ parts }: Message): void {
    for (const part of parts) {
      if (part.type !== 'result' || !this.#inserts.delete(part.callId)) continue;
      const id = /"stored":"p([^"]+)"/.exec(part.text)?.[1];
      if (id === undefined) continue;
      this.passages.push(id);
      this.handles.add(`p${id}`);
    }
  }

  /** Also what the kernel itself says: notes on blocks, and answers to edits, show the text of blocks. */
  #isCopy(message: Message): boolean {
    const { parts, notice } = message;
    const recalled = parts.flatMap((part) => (part.type === 'result' ? (part.recalled ?? []) : []));
    if (recalled.some(({ handle }) => this.handles.has(handle))) return true;
    const isKernels = notice !== undefined || parts.every(isKernelAnswer);
    return isKernels && this.quotes.isQuotedIn(messageText(message));
  }
}

/** Also what a model only thought. */
function allText(message: Message): string {
  const thoughts = message.parts.flatMap((part) => (part.type === 'thinking' ? [part.text] : []));
  return [messageText(message), ...thoughts].join('\n');
}

/** What memory put back is somebody else's words. */
function isOwn(part: Part): boolean {
  return part.type !== 'result' || !part.recalled;
}

/** As the call stores it. Undefined for arguments that the call refuses. */
function storedText(json: string): string | undefined {
  try {
    const { content } = Object(JSON.parse(json)) as { readonly content?: unknown };
    return typeof content === 'string' ? normaliseText(content).trim() : undefined;
  } catch {
    return undefined; // Not JSON: nothing was stored.
  }
}

function isInterrupt({ role, notice }: Message): boolean {
  return (role === 'user' || role === 'system') && notice === undefined;
}
