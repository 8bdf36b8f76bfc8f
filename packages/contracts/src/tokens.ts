import type { ArchivalDriver } from './archival.js';
import type { EmbedderDriver } from './embedder.js';
import type { ProcessorDriver } from './processor.js';
import type { RecallDriver } from './recall.js';

/** A name by which a container finds a `T`. A symbol at run time; the type is only for the compiler. */
export type Token<T> = symbol & { readonly __type?: T };

// `Symbol.for`, so that two copies of this package agree.
function token<T>(name: string): Token<T> {
  return Symbol.for(`@pagefault/contracts/${name}`) as Token<T>;
}

export const RECALL = token<RecallDriver>('recall');
export const ARCHIVAL = token<ArchivalDriver>('archival');
export const EMBEDDER = token<EmbedderDriver>('embedder');
export const PROCESSOR = token<ProcessorDriver>('processor');
