/** What the machine's commits leave behind: rows and a log, as a recall driver would keep them. */
import type { Commit, Json, LogEntry, Message, Row } from '@pagefault/contracts';
import { restoreState } from '../../src/core/records.js';
import type { ProcessState } from '../../src/core/state.js';

export class Store {
  readonly commits: Commit[] = [];
  readonly log: LogEntry[] = [];
  readonly #rows = new Map<string, Row>();

  apply(commit: Commit): void {
    this.commits.push(commit);
    // Through JSON, as every store does it.
    this.log.push(...copy(commit.appends ?? []));
    for (const { space, key } of commit.deletes ?? []) this.#rows.delete(`${space}/${key}`);
    for (const { space, key, value } of commit.puts ?? []) {
      const version = (this.#rows.get(`${space}/${key}`)?.version ?? 0) + 1;
      this.#rows.set(`${space}/${key}`, { space, key, value: copy(value), version });
    }
  }

  rows(space: string): Row[] {
    const own = [...this.#rows.values()].filter((row) => row.space === space);
    return own.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  row(space: string, key: string): Json | undefined {
    return this.#rows.get(`${space}/${key}`)?.value;
  }

  state(): ProcessState {
    return restoreState([...this.rows('state'), ...this.rows('blocks')], this.log);
  }

  message(seq: number): Message {
    const entry = this.log.find((candidate) => candidate.seq === seq);
    if (!entry) throw new Error(`nothing at ${seq}`);
    return entry.message;
  }
}

export function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
