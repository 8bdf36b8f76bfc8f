/** What people read of a conversation: each turn as it ends, and a table at the end. */
import type { CallReport, TurnReport } from './talk.js';

const WIDTH = 100;

export function describeTurn(report: TurnReport): string {
  const { turn, said, result, calls, pages, tokens, seconds, memory } = report;
  const remembered = memory && (memory.right ? 'remembered' : 'not remembered');
  const told =
    memory && `${remembered}, told on a page that ${memory.wasEvicted ? 'was evicted' : 'is resident'}`;
  return [
    `── turn ${turn} ${'─'.repeat(60)}`,
    `user   ${clip(said)}`,
    ...calls.map((call) => `call   ${describeCall(call)}`),
    `agent  ${result.text === '' ? '(nothing)' : wrap(result.text)}`,
    `       ${[result.outcome, plural(result.cycles, 'cycle'), plural(tokens.input, 'token') + ' in', `${tokens.output} out`, `${seconds.toFixed(1)} s`].join(', ')}`,
    `pages  ${pages.born} in, ${pages.evicted} out, ${plural(pages.faults, 'fault')}, ${pages.resident} resident; ${pages.pressure} of ${pages.budget} tokens ${gauge(pages.pressure / pages.budget)}`,
    ...(told === undefined ? [] : [`memory ${told}`]),
    ...(result.failure ? [`failed ${result.failure.code}: ${result.failure.message}`] : []),
  ].join('\n');
}

function describeCall({ name, arguments: json, isError }: CallReport): string {
  return clip(`${name}${json}${isError ? ' (refused)' : ''}`);
}

export interface Summary {
  readonly turns: number;
  readonly answered: number;
  readonly questions: number;
  readonly remembered: number;
  /** Questions whose facts had left the queue, and how many of them were answered right. */
  readonly evictedQuestions: number;
  readonly rememberedAfterEviction: number;
  readonly calls: number;
  readonly refusedCalls: number;
  /** Turns with a refused call in which the user had an answer all the same. */
  readonly repairedTurns: number;
  readonly brokenTurns: number;
  readonly evicted: number;
  readonly faults: number;
  readonly input: number;
  readonly output: number;
  readonly seconds: number;
  readonly failed: number;
}

export function summarise(reports: readonly TurnReport[]): Summary {
  const count = (is: (report: TurnReport) => boolean) => reports.filter(is).length;
  const sum = (of: (report: TurnReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const refused = ({ calls }: TurnReport) => calls.filter(({ isError }) => isError).length;
  return {
    turns: reports.length,
    answered: count(({ result }) => result.text !== ''),
    questions: count(({ memory }) => memory !== undefined),
    remembered: count(({ memory }) => memory?.right === true),
    evictedQuestions: count(({ memory }) => memory?.wasEvicted === true),
    rememberedAfterEviction: count(({ memory }) => memory?.wasEvicted === true && memory.right),
    calls: sum(({ calls }) => calls.length),
    refusedCalls: sum(refused),
    brokenTurns: count((report) => refused(report) > 0),
    repairedTurns: count((report) => refused(report) > 0 && report.result.text !== ''),
    evicted: sum(({ pages }) => pages.evicted),
    faults: sum(({ pages }) => pages.faults),
    input: sum(({ tokens }) => tokens.input),
    output: sum(({ tokens }) => tokens.output),
    seconds: sum(({ seconds }) => seconds),
    failed: count(({ result }) => result.failure !== undefined),
  };
}

export function describeSummary(summary: Summary): string {
  const of = (part: number, whole: number) => `${part} of ${whole}`;
  const rows: readonly (readonly [string, string])[] = [
    ['turns with an answer', of(summary.answered, summary.turns)],
    ['facts remembered', of(summary.remembered, summary.questions)],
    ['  of those whose page was evicted', of(summary.rememberedAfterEviction, summary.evictedQuestions)],
    ['calls, of them refused', `${summary.calls}, ${summary.refusedCalls}`],
    ['turns with a refused call that had an answer', of(summary.repairedTurns, summary.brokenTurns)],
    ['pages evicted, page faults', `${summary.evicted}, ${summary.faults}`],
    ['tokens in, out', `${summary.input}, ${summary.output}`],
    ['seconds', summary.seconds.toFixed(0)],
  ];
  const widest = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, figure]) => `${name.padEnd(widest)}  ${figure}`).join('\n');
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= WIDTH ? line : `${line.slice(0, WIDTH - 1)}…`;
}

/** The whole answer, on lines that fit beside its mark. */
function wrap(text: string): string {
  const lines = text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${WIDTH}}(?:\\s|$)|\\S+`, 'g')) ?? ['']);
  return lines.map((line) => line.trimEnd()).join('\n       ');
}

function gauge(share: number): string {
  const full = Math.max(0, Math.min(20, Math.round(share * 20)));
  return `[${'█'.repeat(full)}${'░'.repeat(20 - full)}]`;
}
