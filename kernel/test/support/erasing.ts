/** A world to erase in: a model that copies without quoting, an index, recordings, and a look at all of it. */
import type { ArchivalDriver, Pid, RecallDriver } from '@pagefault/contracts';
import { LATEST } from '@pagefault/contracts';
import { createMemoryArchival } from '@pagefault/driver-memory';
import type { ReplyFunction } from '@pagefault/driver-processor-scripted';
import type { RecordingStore } from '../../src/index.js';
import { themeEmbedder } from './embedding.js';
import { ask, hasResults, lastUser, tell } from './stack.js';
import { tracedRecall, type TracedRecall } from './traces.js';

/** A word that stands nowhere else. */
export function marker(n: number): string {
  return `zq${String(n).padStart(4, '0')}k`;
}

/** Says it with enough words around that a repetition is a quotation, and that none quotes another. */
export function sentence(n: number): string {
  return `The barn${n} password was${n} changed to ${marker(n)} in${n} summer by me${n} again.`;
}

/** Searches, reads, stores and edits when it is told to; what it writes has words of its own. */
export const obedient: ReplyFunction = (request) => {
  if (hasResults(request)) return tell('Done.');
  const [verb, rest = ''] = lastUser(request).split(/ (.*)/s);
  switch (verb) {
    case 'find':
      return ask('conversation_search', { query: rest });
    case 'look-up':
      return ask('archival_memory_search', { query: rest });
    case 'show':
      return ask('page_in', { handle: rest });
    case 'store':
      return ask('archival_memory_insert', { content: sentence(Number(rest)) });
    case 'read':
      return ask('read_document', { document: rest });
    case 'remind':
      return ask('set_timer', { text: sentence(Number(rest)), in_seconds: 86_400 });
    case 'edit':
      return ask('core_memory_append', { name: 'human', content: sentence(Number(rest)) });
    default:
      return tell('Noted.');
  }
};

export interface KeptRecordings extends RecordingStore {
  readonly lines: Map<Pid, string[]>;
}

export function keptRecordings(): KeptRecordings {
  const lines = new Map<Pid, string[]>();
  return {
    place: 'memory',
    lines,
    open: (pid) => {
      const own = lines.get(pid) ?? [];
      lines.set(pid, own);
      return { write: (line) => void own.push(JSON.stringify(line)), close: async () => undefined };
    },
    erase: async (pid) => (lines.delete(pid) ? [pid] : []),
  };
}

export interface World {
  readonly recall: TracedRecall;
  readonly archival: ArchivalDriver;
  readonly embedder: ReturnType<typeof themeEmbedder>;
  readonly record: KeptRecordings;
  readonly replies: ReplyFunction;
}

export function createWorld(base: RecallDriver, archival?: ArchivalDriver): World {
  return {
    recall: tracedRecall(base),
    archival: archival ?? createMemoryArchival({ dimension: 4 }),
    embedder: themeEmbedder(),
    record: keptRecordings(),
    replies: obedient,
  };
}

/** Where a word still is: rows, log, index, recordings. */
export async function tracesIn({ recall, record }: World, word: string): Promise<readonly string[]> {
  const traces = [...(await recall.tracesOf(word))];
  for (const [pid, lines] of record.lines)
    if (lines.some((line) => line.includes(word))) traces.push(`recording of ${pid}`);
  return traces;
}

/** Vectors of texts that are gone. */
export async function ghosts({ recall, archival }: World, pids: readonly Pid[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of pids) {
    for (const { key: scope } of await recall.load(pid, ['scopes'])) {
      const collection = scope.startsWith('recall/') ? 'messages' : 'passages';
      const vector = Float32Array.of(0, 0, 0, 1);
      for (const { id } of await archival.query({ scope, vector, limit: 1_000 })) {
        const known = await recall.documents([{ pid, upTo: LATEST }], collection, [Number(id)]);
        if (known.length === 0) found.push(`${scope} ${id}`);
      }
    }
  }
  return found;
}
