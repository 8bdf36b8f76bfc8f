/** Looks for a word in everything that a kernel ever stored: rows of all spaces, logs, postings, vectors' texts, recordings. */
import type { Commit, Pid, RecallDriver, Row } from '@pagefault/contracts';
import { LATEST } from '@pagefault/contracts';
import { analyse } from '../../src/core/search/index.js';

export interface TracedRecall extends RecallDriver {
  /** Where the word is, a line each; empty when it is nowhere. */
  tracesOf(word: string): Promise<readonly string[]>;
  /** All rows and messages that there are, a line each. */
  leftovers(): Promise<readonly string[]>;
}

/** Notes who writes into which space, so that no space can be forgotten here. */
export function tracedRecall(base: RecallDriver): TracedRecall {
  const spaces = new Set<string>();
  const pids = new Set<Pid>();
  const note = ({ pid, puts = [] }: Commit) => {
    pids.add(pid);
    for (const { space } of puts) spaces.add(space);
  };
  return {
    ...base,
    commit: (commit, signal) => (note(commit), base.commit(commit, signal)),
    leftovers: async () => {
      const left: string[] = [];
      for (const pid of pids) {
        for (const { space, key } of await base.load(pid, [...spaces]))
          left.push(`row ${space}/${key} of ${pid}`);
        const { items } = await base.read([{ pid, upTo: LATEST }], { limit: 10_000 });
        for (const { seq } of items) left.push(`message ${seq} of ${pid}`);
      }
      return left;
    },
    tracesOf: async (word) => {
      const traces: string[] = [];
      for (const pid of pids) {
        const lineage = [{ pid, upTo: LATEST }];
        for (const row of await base.load(pid, [...spaces]))
          if (holds(row, word) || (row.space === 'policy' && holdsEncoded(row, word)))
            traces.push(`row ${row.space}/${row.key} of ${pid}`);
        for (const entry of (await base.read(lineage, { limit: 10_000 })).items)
          if (holds(entry, word)) traces.push(`message ${entry.seq} of ${pid}`);
        for (const collection of ['messages', 'passages'] as const) {
          const found = await base.postings(lineage, collection, [word.toLowerCase(), ...analyse(word)]);
          for (const { term, ordinal } of found)
            traces.push(`posting ${term} of ${collection} ${ordinal}, ${pid}`);
          const documents = await base.documents(lineage, collection, [...Array(10_000).keys()]);
          for (const document of documents)
            if (holds(document, word)) traces.push(`document ${document.ordinal} of ${collection}, ${pid}`);
        }
      }
      return traces;
    },
  };
}

/** What a policy keeps is bytes. */
function holdsEncoded({ value }: Row, word: string): boolean {
  const { snapshot } = value as { readonly snapshot?: string };
  return holds(Buffer.from(snapshot ?? '', 'base64').toString('utf8'), word);
}

function holds(value: unknown, word: string): boolean {
  return JSON.stringify(value).toLowerCase().includes(word.toLowerCase());
}
