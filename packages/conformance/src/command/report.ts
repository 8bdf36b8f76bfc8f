import { PagefaultError } from '@pagefault/contracts';
import { createColors } from 'picocolors';
import type { Outcome } from './execute.js';
import type { Io } from './io.js';
import { roomOf, type Suite } from './only.js';
import { Seen } from './seen.js';

export interface Report {
  tell(suite: Suite, outcome: Outcome): void;
  /** Whether nothing failed. */
  end(): boolean;
}

/** Lines of a failure's message that are shown; `--json` has all of them. */
const LINES = 30;

const STATES = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

/** A row for each case as it ends; then the failures with their reasons, and the sum. */
export function tableReport({ stdout, env }: Io): Report {
  const told: [Suite, Outcome][] = [];
  const paint = painter(stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '');
  let current: Suite | undefined;
  return {
    tell(suite, outcome) {
      if (suite !== current) {
        const title = `${suite.initializer.name}: the suite of ${suite.initializer.kind} drivers`;
        const head = columns(suite, ['result', 'time', 'room', 'what it promises']);
        stdout.write(`${current ? '\n' : ''}${title}\n\n${head}\n`);
      }
      current = suite;
      told.push([suite, outcome]);
      stdout.write(`${paint(outcome.state, row(suite, outcome))}\n`);
    },
    end() {
      const failed = told.filter(([, { state }]) => state === 'failed');
      for (const [{ initializer }, { name, why }] of failed)
        stdout.write(
          `\n${paint('failed', 'FAILED')} ${initializer.name}: ${name}\n${indented(shortened(messageOf(why)))}\n`,
        );
      const outcomes = told.map(([, outcome]) => outcome);
      stdout.write(`\n${sum(outcomes)}\n`);
      return failed.length === 0;
    },
  };
}

/** One document at the end. */
export function jsonReport({ stdout }: Io): Report {
  const suites = new Map<Suite, Outcome[]>();
  return {
    tell(suite, outcome) {
      suites.set(suite, [...(suites.get(suite) ?? []), outcome]);
    },
    end() {
      const outcomes = [...suites.values()].flat();
      const count = (state: Outcome['state']): number => outcomes.filter((one) => one.state === state).length;
      const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
      const all = [...suites].map(([{ initializer: { kind, name } }, cases]) => ({
        kind,
        name,
        cases: cases.map(({ why, ...rest }) => ({ ...rest, ...(why !== undefined && { why: messageOf(why) }) })),
      })); // prettier-ignore
      stdout.write(`${JSON.stringify({ ...counts, suites: all }, null, 2)}\n`);
      return counts.failed === 0;
    },
  };
}

function row(suite: Suite, { name, state, took, why }: Outcome): string {
  const room = roomOf(name);
  const reason = state === 'skipped' ? ` (${String(why)})` : '';
  const time = state === 'skipped' ? '' : `${took} ms`;
  return columns(suite, [STATES[state], time, room, `${name.slice(room.length + 2)}${reason}`]);
}

/** Rows come one by one, so the widths are known beforehand: those of the rooms. */
function columns(
  { trials }: Suite,
  [result, time, room, sentence]: readonly [string, string, string, string],
) {
  const width = Math.max(
    ...[...trials.map(({ name }) => roomOf(name)), 'lifecycle'].map(({ length }) => length),
  );
  return `${result.padEnd(7)}  ${time.padStart(8)}  ${room.padEnd(width)}  ${sentence}`;
}

type Paint = (state: Outcome['state'], text: string) => string;

function painter(isColoured: boolean): Paint {
  const colours = createColors(isColoured);
  const by = { passed: (text: string) => text, failed: colours.red, skipped: colours.dim };
  return (state, text) => by[state](text);
}

function messageOf(why: unknown): string {
  if (!(why instanceof Error)) return String(why);
  const hint = PagefaultError.is(why) && why.hint !== undefined ? `\n${why.hint}` : '';
  const cause = why.cause === undefined ? '' : `\nbecause of: ${messageOf(why.cause)}`;
  return `${placed(why)}${hint}${cause}`;
}

/** With the place of a fault that no code stands for: there it is a bug of the driver. */
function placed(error: Error): string {
  if (PagefaultError.is(error)) return `${error.code}: ${error.message}`;
  if (error instanceof Seen || error.name === 'AssertionError') return error.message;
  return ofDriver(error.stack ?? error.message);
}

/** Without what lies under a case: how the command came to it says nothing of the driver. */
function ofDriver(stack: string): string {
  const lines = stack.split('\n');
  const end = lines.findIndex((line) => /^ +at .*\brunCase\b/.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).join('\n');
}

function shortened(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= LINES) return text;
  return [...lines.slice(0, LINES), `… ${lines.length - LINES} more lines; --json has all`].join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function sum(outcomes: readonly Outcome[]): string {
  const count = (state: Outcome['state']): number => outcomes.filter((one) => one.state === state).length;
  const took = outcomes.reduce((total, outcome) => total + outcome.took, 0) / 1000;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped in ${took.toFixed(1)} s`;
}
