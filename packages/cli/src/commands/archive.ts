import { createHash } from 'node:crypto';
import { PagefaultError } from '@pagefault/contracts';
import { chunkText, readDocument } from '@pagefault/documents';
import { createTokenCounter } from '@pagefault/driver-kit';
import type { IncomingPassage, Process } from '@pagefault/kernel';
import type { Command } from 'commander';
import { createProgress, formatNumber, formatTable } from '../terminal/index.js';
import { addSearch } from './recall.js';
import { findOrSpawn } from './shared/agent.js';
import { type Context, withMachine } from './shared/context.js';
import { settleIndex } from './shared/settle.js';
import type { Machine } from './shared/machine.js';
import { type CommonOptions, wholeNumber, withMachineOptions, withProcess } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { sourceOf } from './shared/source.js';
import { stoppable } from './shared/stop.js';

export interface LoadOptions extends CommonOptions {
  readonly chunk: number;
  readonly overlap: number;
  readonly index: boolean;
}

// The local embedder reads 128 word pieces of a text: a longer chunk would be known by its beginning only.
const DEFAULT_CHUNK = 128;

/** Passages of one commit: few enough to be acknowledged soon, many enough to be quick. */
const BATCH = 64;

export function addArchive(program: Command, context: Context): void {
  const archive = program
    .command('archive')
    .description('load documents into archival storage, and search there');
  withMachineOptions(withProcess(archive.command('load')))
    .description('load text, Markdown and PDF, cut into passages')
    .argument('<files...>')
    .option('--chunk <tokens>', 'the most that one passage has', wholeNumber(8), DEFAULT_CHUNK)
    .option('--overlap <tokens>', "how much of a passage's end the next one repeats", wholeNumber(0), 0)
    .option('--no-index', 'do not wait until the passages can be found by meaning')
    .action((files: readonly string[], options: LoadOptions) =>
      withMachine(context, options, (machine) => load(context, files, options, machine)),
    );
  addSearch(archive, context, 'passages').description('search the passages by words and meaning');
}

interface Loaded {
  readonly file: string;
  readonly source: string;
  readonly title: string;
  readonly characters: number;
  readonly passages: number;
}

/** Each document is read and cut before anything of it is stored. */
export async function load(
  { io }: Context,
  files: readonly string[],
  options: LoadOptions,
  { kernel }: Pick<Machine, 'kernel'>,
): Promise<void> {
  const printer = createPrinter(io);
  const loaded: Loaded[] = [];
  const hint = 'load the same files again to go on; what is there already is passed over';
  await stoppable(io, hint, async (signal) => {
    try {
      const process = await findOrSpawn(kernel, options.process);
      for (const file of files) loaded.push(await loadFile(io, process, { file, files }, options, signal));
    } finally {
      if (options.json) printer.json({ files: loaded });
      else if (loaded.length > 0) printer.line(renderLoaded(loaded));
    }
    if (options.index) await settleIndex(io, kernel, signal);
  });
}

async function loadFile(
  io: Context['io'],
  process: Process,
  { file, files }: { readonly file: string; readonly files: readonly string[] },
  { chunk, overlap }: LoadOptions,
  signal: AbortSignal,
): Promise<Loaded> {
  const { title, text } = await readDocument(file);
  const counter = createTokenCounter();
  const chunks = chunkText(text, { maxTokens: chunk, overlap, count: (part) => counter.count(part) });
  const source = sourceOf(file, files);
  const passages = withIds(source, chunks);
  const progress = createProgress({
    stream: io.stderr,
    label: source,
    unit: 'passages',
    now: io.now,
    total: chunks.length,
  });
  let done = 0;
  try {
    for (; done < chunks.length; done = Math.min(done + BATCH, chunks.length)) {
      progress.update(done);
      if (signal.aborted) throw cutOff(source, done, chunks.length, signal.reason);
      await process.archive(passages.slice(done, done + BATCH));
    }
    progress.update(done);
  } finally {
    progress.finish();
  }
  return { file, source, title, characters: text.length, passages: chunks.length };
}

function cutOff(source: string, done: number, total: number, cause: unknown): PagefaultError {
  return new PagefaultError('E_ABORTED', `stopped after ${done} of ${total} passages of ${source}`, {
    cause,
  });
}

/**
 * Ids of the source, the text and how often that text came before: what is loaded again is there already, what has
 * changed is new, and what a document says twice is there twice.
 */
function withIds(source: string, chunks: readonly { readonly text: string }[]): IncomingPassage[] {
  const seen = new Map<string, number>();
  return chunks.map(({ text }) => {
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    const digest = createHash('sha256')
      .update(JSON.stringify([source, text, times]))
      .digest('hex');
    return { id: digest.slice(0, 32), text, source };
  });
}

function renderLoaded(loaded: readonly Loaded[]): string {
  return formatTable(
    [
      { title: 'source', maxWidth: 40 },
      { title: 'title', maxWidth: 40 },
      { title: 'characters', align: 'right' },
      { title: 'passages', align: 'right' },
    ],
    loaded.map(({ source, title, characters, passages }) => [
      source,
      title,
      formatNumber(characters),
      formatNumber(passages),
    ]),
  );
}
