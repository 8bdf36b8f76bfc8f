/** A pool whose connections do what a test says, without a server. */
import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';

export type Answer = () => Promise<unknown>;

export class FakeClient extends EventEmitter {
  readonly number: number;
  readonly pool: FakePool;
  readonly said: string[] = [];

  constructor(number: number, pool: FakePool) {
    super();
    this.number = number;
    this.pool = pool;
  }

  query(statement: string | { readonly text: string }): Promise<unknown> {
    const text = typeof statement === 'string' ? statement : statement.text;
    this.said.push(text);
    if (text.includes('default_transaction_isolation'))
      return Promise.resolve(rowsOf([['read committed']], 'level'));
    return this.pool.answer(text, this);
  }

  release(isLost: boolean | undefined): void {
    this.pool.released.push({ number: this.number, isLost: isLost === true });
    if (isLost !== true) this.pool.idle.push(this);
  }
}

export class FakePool extends EventEmitter {
  readonly idle: FakeClient[] = [];
  readonly released: { readonly number: number; readonly isLost: boolean }[] = [];
  answer: (text: string, client: FakeClient) => Promise<unknown> = () => Promise.resolve(rowsOf([]));
  /** Called before a connection is given. */
  gate: () => Promise<void> = () => Promise.resolve();
  made = 0;

  async connect(): Promise<FakeClient> {
    await this.gate();
    return this.idle.pop() ?? this.make();
  }

  make(): FakeClient {
    const client = new FakeClient((this.made += 1), this);
    this.emit('connect', client);
    return client;
  }

  query(): never {
    throw new Error('a statement that is not on a connection of its own');
  }

  asPool(): Pool {
    return this as unknown as Pool;
  }
}

export function rowsOf(rows: readonly (readonly unknown[])[], ...names: readonly string[]): unknown {
  return { rows, fields: names.map((name) => ({ name })), rowCount: rows.length, command: 'SELECT' };
}

/** An error as the server's own. */
export function stateError(code: string, message = 'refused'): Error {
  return Object.assign(new Error(message), { code });
}
