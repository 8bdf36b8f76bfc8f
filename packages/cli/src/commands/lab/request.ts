/** What a study was asked for: plain data, so that it can be kept and asked for again. */
import type { Command } from 'commander';
import { wholeNumber } from '../shared/options.js';
import { contestantOption, namesOf } from './policies.js';
import { addSetupOptions, type SetupOptions } from './setup.js';

export interface Request {
  readonly command: string;
  readonly traces: readonly string[];
  /** Names of policies and schemes, or paths of modules. */
  readonly policies: readonly string[];
  readonly budgets: readonly string[];
  readonly setup: SetupOptions;
  /** Of a sweep: r, and w and q when they are not the model's. */
  readonly ratios?: readonly number[];
  readonly written?: number;
  readonly output?: number;
}

/** The options as commander gives them. */
export interface Given extends SetupOptions {
  readonly policy: readonly string[];
  readonly budget: readonly string[];
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly out?: string;
  readonly jobs?: number;
}

const BUDGETS =
  'tokens (32000, 32k), shares of the trace (25%), or ranges of either (5%..100%:10 is ten from one to the other)';

/** `policies`: the default, if not all. */
export function withStudyOptions(
  command: Command,
  budgets: readonly string[],
  policies?: readonly string[],
): Command {
  command.addOption(contestantOption(policies)).option('--budget <sizes...>', BUDGETS, [...budgets]);
  return addSetupOptions(command)
    .option('--jobs <n>', 'threads (default: all cores, when the work is worth their start)', wholeNumber(1))
    .option('--json', 'for programs: JSON on standard output')
    .option('--csv', 'for programs: comma-separated values on standard output')
    .option(
      '--out <dir>',
      'a folder for rows, drawings, a page that holds all of it, and a manifest to make it again',
    );
}

export function requestOf(command: string, traces: readonly string[], given: Given): Request {
  const { policy, budget, json: _json, csv: _csv, out: _out, jobs: _jobs, ...setup } = given;
  return { command, traces, policies: namesOf(policy), budgets: namesOf(budget), setup };
}
