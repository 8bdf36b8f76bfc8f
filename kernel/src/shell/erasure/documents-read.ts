/**
 * Texts that once had the name of a source and were read, but are not mapped any more: nothing is left of them but the
 * windows in the log. Their ids do not tell the name, so it is looked for where the model was told of them.
 */
import type { Message } from '@pagefault/contracts';
import { documentId } from '../../core/mapped-document.js';
import { ownLineage } from '../storage.js';
import type { PlanContext } from './plan-context.js';
import type { CheckedTarget } from './target.js';
import { entriesOf } from './walk.js';

const READ = 'read_document';

/** By id. */
export async function documentsReadAs(
  { recall, record }: PlanContext,
  { source }: CheckedTarget,
): Promise<readonly string[]> {
  if (source === undefined) return [];
  const found = new ReadDocuments(source);
  for await (const { message } of entriesOf(recall, ownLineage(record.pid))) found.take(message);
  return [...found.ids];
}

class ReadDocuments {
  readonly ids = new Set<string>();
  readonly #name: string;
  readonly #calls = new Set<string>();

  constructor(name: string) {
    this.#name = name;
  }

  take({ parts }: Message): void {
    for (const part of parts) {
      if (part.type === 'call' && part.name === READ && asked(part.arguments) === this.#name)
        this.#calls.add(part.callId);
      if (part.type !== 'result' || part.name !== READ) continue;
      if (this.#calls.delete(part.callId)) for (const { handle } of part.recalled ?? []) this.#add(handle);
      // The list of documents.
      for (const [, handle, name] of part.text.matchAll(/^(d[0-9a-f]{12}): "(.*)", [\d,. ]+ characters$/gmu))
        if (name === this.#name) this.#add(handle ?? '');
    }
  }

  #add(handle: string): void {
    const id = documentId(handle);
    if (id !== undefined) this.ids.add(id);
  }
}

function asked(json: string): string | undefined {
  try {
    const { document } = Object(JSON.parse(json)) as { readonly document?: unknown };
    return typeof document === 'string' ? document.trim() : undefined;
  } catch {
    return undefined; // Not JSON: nothing was read.
  }
}
