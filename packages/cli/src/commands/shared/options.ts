import { type Command, InvalidArgumentError } from 'commander';
import type { StartOptions } from '@pagefault/wiring';
import type { Io } from './io.js';

/** The options that every command has. */
export interface CommonOptions {
  readonly config?: string;
  readonly data?: string;
  readonly window?: number;
  readonly process?: string;
  readonly processor?: string;
  readonly record?: string;
  readonly json?: boolean;
}

/** Of a command that may make the archival index anew. */
export interface RebuildOption {
  readonly rebuild?: boolean;
}

export const DEFAULT_PROCESS = 'default';

export function withCommon(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file')
    .option('--data <dir>', 'data directory: where the memory is')
    .option('--window <tokens>', 'context window; caps the one of the model', wholeNumber(1))
    .option('--json', 'for programs: JSON on standard output');
}

/** For commands that run the machine. */
export function withMachineOptions(command: Command): Command {
  return withCommon(command)
    .option('--processor <name>', 'which model runs the process')
    .option('--record <dir>', 'record the run into this folder, for `pagefault rerun`');
}

export function withProcess(command: Command, fallback: string = `"${DEFAULT_PROCESS}"`): Command {
  return command.option('--process <name>', `name or pid of the process (default: ${fallback})`);
}

export function startOptions(options: CommonOptions & RebuildOption, io: Io): StartOptions {
  const overrides: NonNullable<StartOptions['overrides']> = {
    ...(options.data !== undefined && { data: options.data }),
    ...(options.window !== undefined && { window: options.window }),
    ...(options.processor !== undefined && { processor: options.processor }),
    ...(options.record !== undefined && { record: options.record }),
  };
  return {
    cwd: io.cwd,
    env: { ...io.env },
    overrides,
    ...(options.config !== undefined && { configFile: options.config }),
    ...(options.rebuild && { rebuild: true }),
  };
}

/** Reads a whole number of at least `min`. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text.replaceAll('_', ''));
    if (Number.isSafeInteger(value) && value >= min && text.trim() !== '') return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min}.`);
  };
}

/** Reads a positive number. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** Reads a point in time; without a zone it is UTC. */
export function instant(text: string): number {
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes(':');
  const value = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  if (!Number.isNaN(value)) return value;
  throw new InvalidArgumentError('It must be a time such as 2024-03-01 or 2024-03-01T10:00:00Z.');
}
