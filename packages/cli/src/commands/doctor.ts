/** Tries each driver of the configuration: whether it is reachable, which it is, and whether it gives back what it got. */
import type { Finding } from '@pagefault/wiring';
import type { Command } from 'commander';
import { coloursFor, formatDuration, formatError, formatTable, printable } from '../terminal/index.js';
import type { Context } from './shared/context.js';
import { errorForPrograms } from './shared/error.js';
import { EXIT } from './shared/io.js';
import { type CommonOptions, startOptions, withMachineOptions } from './shared/options.js';
import { createPrinter } from './shared/print.js';
import { stoppable } from './shared/stop.js';

interface DoctorOptions extends CommonOptions {
  readonly ask: boolean;
}

export function addDoctor(program: Command, context: Context): void {
  withMachineOptions(program.command('doctor'))
    .description('try each driver of the configuration: reachable, which version, written and read back')
    .option('--no-ask', 'send processors nothing: a question costs a few tokens')
    .action((options: DoctorOptions) => doctor(context, options));
}

async function doctor({ io, wiring, finish }: Context, options: DoctorOptions): Promise<void> {
  const { diagnose } = await wiring();
  const findings: Finding[] = [];
  await stoppable(io, 'nothing is left behind', async (signal) => {
    const all = diagnose({ ...startOptions(options, io), ask: options.ask, signal });
    for await (const finding of all) findings.push(finding);
  });
  const printer = createPrinter(io);
  const colours = coloursFor({ isTTY: io.stdout.isTTY === true, env: io.env });
  if (options.json) printer.json({ findings: findings.map(forPrograms) });
  else printer.line(renderFindings(findings));
  const ill = findings.filter(({ isWell }) => !isWell);
  if (ill.length === 0) return;
  finish(EXIT.failure);
  if (!options.json)
    for (const finding of ill)
      printer.line(`\n${titleOf(finding)}: ${formatError(finding.problem, colours)}`);
}

export function renderFindings(findings: readonly Finding[]): string {
  return formatTable(
    [
      { title: 'part' },
      { title: 'driver' },
      { title: 'state' },
      { title: 'time', align: 'right' },
      { title: 'what it is' },
    ],
    findings.map((finding) => [
      titleOf(finding),
      finding.driver,
      finding.isWell ? 'well' : 'ill',
      formatDuration(finding.took),
      finding.facts.map((fact) => printable(`${fact.name} ${fact.value}`)).join('; '),
    ]),
  );
}

function titleOf({ kind, name }: Finding): string {
  return name === undefined ? kind : `${kind} ${printable(name)}`;
}

function forPrograms({ problem, ...finding }: Finding): Record<string, unknown> {
  return problem === undefined ? finding : { ...finding, problem: errorForPrograms(problem) };
}
