/** PostgreSQL's frontend/backend protocol, version 3, as far as one who stands between needs it. */

/** Cuts a stream into messages. Those of a client begin without a type: the start-up message. */
export class Messages {
  #rest = Buffer.alloc(0);
  #isTyped: boolean;

  constructor(from: 'client' | 'server') {
    this.#isTyped = from === 'server';
  }

  /** After the start-up message every message has a type. */
  began(): void {
    this.#isTyped = true;
  }

  add(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
  }

  next(): Buffer | undefined {
    const head = this.#isTyped ? 1 : 0;
    if (this.#rest.length < head + 4) return undefined;
    const length = head + this.#rest.readInt32BE(head);
    if (this.#rest.length < length) return undefined;
    const message = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return message;
  }
}

export function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export const typeOf = (one: Buffer): string => one.toString('latin1', 0, 1);

const SSL_REQUEST = 80_877_103;
const VERSION_3 = 196_608;

export const asksForTls = (startup: Buffer): boolean => startup.readInt32BE(4) === SSL_REQUEST;

export function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [name, value]);
  const body = Buffer.from([...pairs, '', ''].join('\0'), 'utf8');
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(VERSION_3, 4);
  return Buffer.concat([head, body]);
}

export function parametersOf(startupMessage: Buffer): Readonly<Record<string, string>> {
  const words = startupMessage.toString('utf8', 8).split('\0');
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < words.length && words[i] !== ''; i += 2)
    pairs.push([words[i] ?? '', words[i + 1] ?? '']);
  return Object.fromEntries(pairs);
}

export function refusal(code: string, said: string): Buffer {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${said}`].map((field) => `${field}\0`).join('');
  return message('E', Buffer.from(`${fields}\0`, 'utf8'));
}

/** ReadyForQuery: I is outside of a transaction, T within, E within one that failed. */
export const statusOf = (ready: Buffer): string => ready.toString('latin1', 5, 6);
