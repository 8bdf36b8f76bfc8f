/** A classic trace, run as the caching literature does. */
import { basename, resolve } from 'node:path';
import type { Capacity, ClassicFormat, ClassicOptions, LiteratureName } from '@pagefault/lab';
import { type Command, Option } from 'commander';
import { formatNumber } from '../../terminal/index.js';
import type { Context } from '../shared/context.js';
import { withPolicies } from '../shared/policies.js';
import { createPrinter } from '../shared/print.js';
import { namesOf } from './policies.js';
import { textOf } from './print-study.js';

interface DemandOptions {
  readonly policy?: readonly string[];
  readonly size: readonly string[];
  readonly format?: ClassicFormat;
  readonly bytes?: boolean;
  readonly block?: string;
  readonly operations?: ClassicOptions['operations'];
  readonly csv?: boolean;
  readonly json?: boolean;
}

export function addDemand(lab: Command, context: Context): void {
  lab
    .command('demand')
    .description('misses on a trace of the caching literature: ARC, LIRS, libCacheSim, MSR, Twitter')
    .argument('<file>', 'the trace; may be packed (.gz, .zst)')
    .option('--size <sizes...>', 'of the memory: pages (1000, 1k), shares of all pages (10%), ranges', [
      '10%',
    ])
    .option('--policy <names...>', 'as everywhere; by default those of the literature, with its parameters')
    .option(
      '--format <name>',
      'lirs, arc, libcachesim-text, oracle-general, msr, twitter; by default told by the file',
    )
    .option('--bytes', 'where the trace tells sizes of pages: count room in bytes, not in pages')
    .option('--block <bytes>', 'bytes of a page of msr; by default 512')
    .addOption(new Option('--operations <which>', 'of msr and twitter').choices(['all', 'reads', 'writes']))
    .option('--csv', 'for programs: comma-separated values')
    .option('--json', 'for programs: JSON on standard output')
    .action((file: string, options: DemandOptions) => runDemand(context, file, options));
}

async function runDemand(context: Context, file: string, options: DemandOptions): Promise<void> {
  const { budgetChoices, csvOf, demandTable, readClassic } = await import('@pagefault/lab');
  const words = { size: 'size', unit: options.bytes ? 'bytes' : 'pages' };
  const sizes = budgetChoices(namesOf(options.size), words).map((one): Capacity =>
    'tokens' in one ? { size: one.tokens } : one,
  );
  const requests = await readClassic(resolve(context.io.cwd, file), readOptions(options));
  const table = await withPolicies(await policiesOf(context, options.policy), async (policies) =>
    demandTable(requests, sizes, policies),
  );
  const printer = createPrinter(context.io);
  if (options.json)
    return printer.json({ file: basename(file), distinct: requests.distinct, rows: table.rows });
  if (options.csv) return printer.line(csvOf(table));
  const counts = `${formatNumber(requests.pages.length)} requests for ${formatNumber(requests.distinct)} pages`;
  printer.line(`${basename(file)}: ${counts}\n\n${textOf(table)}`);
}

function readOptions({ format, bytes = false, block, operations }: DemandOptions): ClassicOptions {
  return {
    sizes: bytes,
    ...(format && { format }),
    ...(block !== undefined && { blockBytes: Number(block) }),
    ...(operations && { operations }),
  };
}

/** A name of the literature's means its policy with what the source remembers; settings and paths go as everywhere. */
async function policiesOf(context: Context, given: readonly string[] | undefined) {
  const { LITERATURE } = await import('@pagefault/lab');
  const { loadPolicy } = await context.wiring();
  const names = given ? namesOf(given) : Object.keys(LITERATURE);
  const isOfLiterature = (name: string): name is LiteratureName => Object.hasOwn(LITERATURE, name);
  return Promise.all(
    names.map(async (name) => (isOfLiterature(name) ? LITERATURE[name] : loadPolicy(name, context.io.cwd))),
  );
}
