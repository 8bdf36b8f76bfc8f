/** Holds processes back, and lets them go; also beside the program that runs them. */
import type { InterruptKind, ProcessControl } from '@pagefault/kernel';
import type { ControlChange, ProcessId } from '@pagefault/wiring';
import type { Command } from 'commander';
import { type Context, withInspector } from '../shared/context.js';
import { type CommonOptions, DEFAULT_PROCESS, withMachineOptions, withProcess } from '../shared/options.js';
import { createPrinter } from '../shared/print.js';
import { stateOf } from './state.js';

const CHANGES = [
  ['pause', 'serve nothing from the end of the turn under way on; what arrives waits'],
  ['resume', 'end a pause, and serve what waits'],
  ['kill', 'end a process: its turn is stopped, nothing is taken any more; its memory stays'],
] as const;

const MASKS = [
  ['mask', 'let interrupts of some kinds wait'],
  ['unmask', 'serve interrupts of these kinds again, and those that wait'],
] as const;

export function addControl(program: Command, context: Context): void {
  for (const [name, description] of CHANGES) {
    withMachineOptions(withProcess(program.command(name)))
      .description(description)
      .argument('[process]', 'name or pid, as with --process')
      .action((given: string | undefined, options: CommonOptions) =>
        change(context, given ?? options.process, options, { do: name }),
      );
  }
  for (const [name, description] of MASKS) {
    withMachineOptions(withProcess(program.command(name)))
      .description(description)
      .argument('<kinds...>', 'user, ipc, device, timer, system')
      .action((kinds: readonly InterruptKind[], options: CommonOptions) =>
        change(context, options.process, options, { do: name, kinds }),
      );
  }
}

/** Another name for people. */
export function addRename(program: Command, context: Context): void {
  withMachineOptions(program.command('rename'))
    .description('give a process another name')
    .argument('<process>', 'name or pid')
    .argument('<name>', 'the new one')
    .action(async (process: string, name: string, options: CommonOptions) => {
      const renamed = await withInspector(context, options, (inspector) => inspector.rename(process, name));
      const printer = createPrinter(context.io);
      if (options.json) printer.json(renamed);
      else printer.line(`${process} is ${renamed.name} now`);
    });
}

async function change(
  context: Context,
  process: string = DEFAULT_PROCESS,
  options: CommonOptions,
  what: ControlChange,
): Promise<void> {
  const held = await withInspector(context, options, (inspector) => inspector.control(process, what));
  const printer = createPrinter(context.io);
  if (options.json) printer.json(held);
  else printer.line(told(held));
}

function told(held: ProcessControl & ProcessId): string {
  const state = stateOf(held);
  return `${held.name}: ${state === '' ? 'nothing holds it back' : state}`;
}
