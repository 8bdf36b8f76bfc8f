/** What may stand for `--policy`. */
import { POLICIES, POLICY_SETTINGS, type PolicyName, usualSettings } from '@pagefault/kernel';
import type { Scheme } from '@pagefault/lab';
import type { Command } from 'commander';
import { formatPercent, formatTable } from '../../terminal/index.js';
import type { Context } from '../shared/context.js';
import { createPrinter } from '../shared/print.js';

export function addPolicies(lab: Command, context: Context): void {
  lab
    .command('policies')
    .description('the policies and schemes that may be named; a scheme is a policy with settings of its own')
    .option('--json', 'for programs: JSON on standard output')
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const { SCHEMES } = await import('@pagefault/lab');
      const printer = createPrinter(context.io);
      const policies = Object.keys(POLICIES) as PolicyName[];
      const schemes = SCHEMES.map(({ make: _, ...told }) => told);
      if (json) return printer.json({ policies, settings: POLICY_SETTINGS, schemes });
      printer.line(formatTable(POLICY_COLUMNS, policies.map(policyRow)));
      printer.line(`\n${formatTable(COLUMNS, SCHEMES.map(rowOf))}`);
    });
}

const POLICY_COLUMNS = [{ title: 'policy' }, { title: 'settings, as in 2q:recentShare=.1' }] as const;

function policyRow(name: PolicyName): string[] {
  return [name, usualSettings(POLICY_SETTINGS[name] ?? {}).join(' ')];
}

const COLUMNS = [
  { title: 'scheme' },
  { title: 'begins above', align: 'right' },
  { title: 'down to', align: 'right' },
  { title: 'when cold', align: 'right' },
  { title: 'what remains' },
  { title: 'masked above', align: 'right' },
  { title: 'in a stack' },
] as const;

function rowOf({ name, setup, stack }: Scheme): string[] {
  const { flushShare, targetShare, coldShare, remains, masking } = setup;
  return [
    name,
    shown(flushShare),
    shown(targetShare),
    shown(coldShare),
    remains === undefined ? 'as set' : remains.kind,
    masking === undefined ? 'never' : shown(masking.above),
    stack === undefined ? 'no' : stack.policy,
  ];
}

function shown(share: number | undefined): string {
  return share === undefined ? 'as set' : formatPercent(share);
}
