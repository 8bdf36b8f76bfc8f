/** Erases for good. Nothing of it happens before somebody has said yes. */
import { PagefaultError } from '@pagefault/contracts';
import type { ErasureReport, ErasureTarget } from '@pagefault/kernel';
import type { Inspector } from '@pagefault/wiring';
import type { Command } from 'commander';
import { renderErasure } from './erase/report.js';
import { confirmed } from './shared/confirm.js';
import { type Context, withInspector } from './shared/context.js';
import { EXIT } from './shared/io.js';
import { type CommonOptions, DEFAULT_PROCESS, withMachineOptions, withProcess } from './shared/options.js';
import { createPrinter } from './shared/print.js';

interface EraseOptions extends CommonOptions {
  readonly message?: readonly string[];
  readonly speaker?: string;
  readonly everywhere?: boolean;
  readonly source?: string;
  readonly passage?: readonly string[];
  readonly history?: string;
  readonly whole?: boolean;
  readonly cascade?: boolean;
  readonly yes?: boolean;
}

export function addErase(program: Command, context: Context): void {
  withMachineOptions(withProcess(program.command('erase')))
    .description(
      'erase for good what is named, with every copy of it, and report what went and what still quotes it',
    )
    .argument('[process]', 'name or pid, as with --process')
    .option('--message <messages...>', 'by handle, such as m12, or by id')
    .option('--speaker <name>', 'all messages of one who speaks under this name')
    .option('--everywhere', 'with --speaker: in all processes')
    .option('--source <name>', 'all passages of this source, and the mapped document of this name')
    .option('--passage <passages...>', 'by id')
    .option('--history <block>', 'earlier texts of this block')
    .option('--whole', 'the process itself, with all that it owns')
    .option('--cascade', 'with --whole: its forks too, and theirs')
    .option('--yes', 'do not ask')
    .action((given: string | undefined, options: EraseOptions) =>
      erase(context, given ?? options.process ?? DEFAULT_PROCESS, options),
    );
}

async function erase(context: Context, process: string, options: EraseOptions): Promise<void> {
  const { io } = context;
  const erasure = erasureOf(process, options);
  const printer = createPrinter(io);
  if (options.yes !== true && !(await confirmed(io, `This erases ${erasure.what} for good.`, '--yes'))) {
    printer.note('nothing was erased');
    return context.finish(EXIT.failure);
  }
  const reports = await withInspector(context, options, erasure.run);
  if (reports.some(({ done }) => !done)) context.finish(EXIT.failure);
  if (options.json) return printer.json({ reports });
  printer.line(renderErasure(reports));
}

interface Erasure {
  /** For who is asked. */
  readonly what: string;
  run(inspector: Inspector): Promise<readonly ErasureReport[]>;
}

function erasureOf(process: string, options: EraseOptions): Erasure {
  const { speaker, everywhere = false, whole = false, cascade = false } = options;
  checkOne(options);
  if (whole) {
    const forks = cascade ? ' and all of its forks' : '';
    return {
      what: `process "${process}"${forks}, with all that it owns,`,
      run: async (inspector) => [await inspector.eraseProcess(process, { cascade })],
    };
  }
  if (everywhere && speaker !== undefined)
    return {
      what: `all that "${speaker}" said, in all processes,`,
      run: (inspector) => inspector.eraseSpeaker(speaker),
    };
  const { target, what } = targetOf(options);
  return {
    what: `${what} of process "${process}"`,
    run: async (inspector) => [await inspector.erase(process, target)],
  };
}

const TARGETS = ['message', 'speaker', 'source', 'passage', 'history', 'whole'] as const;

/** Errors: `E_INVALID`. */
function checkOne(options: EraseOptions): void {
  const given = TARGETS.filter((name) => options[name] !== undefined).map((name) => `--${name}`);
  if (given.length !== 1) {
    const found = given.length === 0 ? 'none of them' : given.join(' and ');
    throw invalid(
      `say what to erase by exactly one of ${TARGETS.map((it) => `--${it}`).join(', ')}; there is ${found}`,
    );
  }
  if (options.everywhere && options.speaker === undefined) throw invalid('--everywhere goes with --speaker');
  if (options.cascade && !options.whole) throw invalid('--cascade goes with --whole');
}

function invalid(message: string): PagefaultError {
  return new PagefaultError('E_INVALID', message, { hint: '`pagefault erase --help` tells more' });
}

function targetOf({ message, speaker, source, passage, history }: EraseOptions): {
  readonly target: ErasureTarget;
  readonly what: string;
} {
  if (message) return { target: { messages: message }, what: counted('message', message) };
  if (passage) return { target: { passages: passage }, what: counted('passage', passage) };
  if (speaker !== undefined) return { target: { speaker }, what: `all that "${speaker}" said` };
  if (source !== undefined) return { target: { source }, what: `all passages of "${source}"` };
  return { target: { history: history ?? '' }, what: `earlier texts of block "${history}"` };
}

function counted(noun: string, ids: readonly string[]): string {
  return `${noun}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
}
