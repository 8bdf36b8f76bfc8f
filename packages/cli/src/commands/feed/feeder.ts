import { hasCode, PagefaultError } from '@pagefault/contracts';
import type { IncomingMessage, Kernel, Process } from '@pagefault/kernel';
import type { TranscriptMessage } from '@pagefault/transcripts';
import { findOrSpawn } from '../shared/agent.js';

export interface FeederOptions {
  readonly kernel: Kernel;
  /** One process for everything; left out, one a conversation, of its name. */
  readonly processName: string | undefined;
  /** User messages are sent, and so answered, instead of appended. */
  readonly respond: boolean;
  readonly signal: AbortSignal;
  /** After each batch is durable. */
  readonly onBatch: (batch: FedBatch) => void;
}

export interface FedBatch {
  readonly conversation: string;
  readonly process: string;
  readonly pid: string;
  /** The last message that is durable. */
  readonly last: string;
  readonly messages: number;
  readonly skipped: number;
}

export interface Conversation {
  readonly conversation: string;
  readonly process: Process;
  skipped: number;
}

/** Messages of one commit-and-check round: few enough to be acknowledged soon, many enough to be quick. */
const BATCH = 32;

/** Takes messages in the order of the transcript and brings them to their processes in batches. */
export class Feeder {
  readonly conversations = new Map<string, Conversation>();
  readonly #options: FeederOptions;
  readonly #batches = new Map<string, TranscriptMessage[]>();

  constructor(options: FeederOptions) {
    this.#options = options;
  }

  async add(message: TranscriptMessage): Promise<void> {
    const { conversation } = message;
    const batch = this.#batches.get(conversation) ?? [];
    this.#batches.set(conversation, batch);
    batch.push(message);
    if (batch.length >= BATCH) await this.#flush(conversation);
  }

  /** Brings what is left. */
  async finish(): Promise<void> {
    for (const conversation of this.#batches.keys()) await this.#flush(conversation);
  }

  async #flush(name: string): Promise<void> {
    const batch = this.#batches.get(name) ?? [];
    this.#batches.set(name, []);
    const last = batch.at(-1);
    if (!last) return;
    const conversation = await this.#conversation(name);
    const { process } = conversation;
    const { signal, respond, onBatch } = this.#options;
    signal.throwIfAborted();
    const skipped = await this.#deliver(process, batch, respond).catch((error: unknown) => {
      throw within(batch, error);
    });
    conversation.skipped += skipped;
    const counts = { messages: batch.length, skipped };
    onBatch({ conversation: name, process: process.name, pid: process.pid, last: last.id, ...counts });
  }

  async #conversation(name: string): Promise<Conversation> {
    const known = this.conversations.get(name);
    if (known) return known;
    const { kernel, processName } = this.#options;
    const process = await findOrSpawn(kernel, processName ?? name);
    const conversation = { conversation: name, process, skipped: 0 };
    this.conversations.set(name, conversation);
    return conversation;
  }

  /** Resolves to how many were there already. */
  async #deliver(process: Process, batch: readonly TranscriptMessage[], respond: boolean): Promise<number> {
    const { signal } = this.#options;
    if (!respond) return (await process.append(batch.map(incoming), { signal })).skipped;
    let skipped = 0;
    for (const message of batch) {
      signal.throwIfAborted();
      skipped +=
        message.role === 'user' ? await this.#send(process, message) : await this.#append(process, message);
    }
    return skipped;
  }

  async #append(process: Process, message: TranscriptMessage): Promise<number> {
    return (await process.append([incoming(message)], { signal: this.#options.signal })).skipped;
  }

  /** A message that was sent before is not delivered again. */
  async #send(process: Process, message: TranscriptMessage): Promise<number> {
    const { kernel, signal } = this.#options;
    let isFresh = false;
    const forget = kernel.bus.on('interrupt-delivered', (event) => {
      isFresh ||= event.pid === process.pid && event.interruptId === message.id;
    });
    try {
      await process.send(incoming(message), { signal });
      return isFresh ? 0 : 1;
    } catch (error) {
      // Its id is in recall by an earlier run without answers: then the append skips it.
      if (hasCode(error, 'E_CONFLICT')) return await this.#append(process, message);
      throw error;
    } finally {
      forget();
    }
  }
}

function incoming({ id, role, text, name, at, session }: TranscriptMessage): IncomingMessage {
  return {
    id,
    role,
    text,
    ...(name !== undefined && { name }),
    ...(at !== undefined && { at }),
    ...(session !== undefined && { session }),
  };
}

/** Says which messages it was about. */
function within(batch: readonly TranscriptMessage[], error: unknown): unknown {
  if (!PagefaultError.is(error) || error.code === 'E_ABORTED') return error;
  const [first, last] = [batch[0]?.id, batch.at(-1)?.id];
  const { code, message, hint, driver, retryable } = error;
  return new PagefaultError(code, `messages ${first} to ${last}: ${message}`, {
    cause: error,
    retryable,
    ...(hint !== undefined && { hint }),
    ...(driver !== undefined && { driver }),
  });
}
