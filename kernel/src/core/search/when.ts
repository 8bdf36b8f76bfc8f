/**
 * Dates as terms. A document is of its day and its month; a question that names one without a doubt asks for that term too.
 * It only adds: a question about a time still finds what is said of it elsewhere. Dates in English words (8 May 2023) are not
 * among them, for the words are in the index already; asked for twice they drown the rest (LoCoMo: .827 to .822). Nor are
 * numbers like 5/8/2023, seasons and weeks, which mean different things to different people.
 */
import type { Instant } from '@pagefault/contracts';
import { localTime, UTC } from '../zone.js';

/** When a question is asked, and by whose clock. Without it, words such as `yesterday` are words. */
export interface Asked {
  readonly at: Instant;
  readonly zone?: string;
}

interface Day {
  readonly year: number;
  readonly month: number;
  /** Left out: the whole month. */
  readonly day?: number;
}

/** No text has terms of this form. */
const MARK = '@';

/** The terms of a document's own time. */
export function timeTerms(at: Instant, zone: string = UTC): readonly string[] {
  if (Number.isNaN(new Date(at).getTime())) return [];
  const { year, month, day } = localTime(at, zone);
  return [termOf({ year, month, day }), termOf({ year, month })];
}

/** The terms of the times that a question names. */
export function askedTimes(question: string, asked?: Asked): readonly string[] {
  const days = [...written(question), ...(asked ? relative(question, asked) : [])];
  return [...new Set(days.filter(exists).map(termOf))];
}

export function isTimeTerm(term: string): boolean {
  return term.startsWith(MARK);
}

function termOf({ year, month, day }: Day): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${MARK}${year}-${two(month)}${day === undefined ? '' : `-${two(day)}`}`;
}

const FORMS: readonly RegExp[] = [
  /\b(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d))?(?![\d-])/g,
  /(?<year>\d{4})年(?<month>\d{1,2})月(?:(?<day>\d{1,2})[日号])?/g,
];

function written(question: string): Day[] {
  return FORMS.flatMap((form) => [...question.matchAll(form)].map(({ groups = {} }) => dayOf(groups)));
}

function dayOf({ year, month, day }: Readonly<Record<string, string | undefined>>): Day {
  return { year: Number(year), month: Number(month), ...(day !== undefined && { day: Number(day) }) };
}

function exists({ year, month, day = 1 }: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function relative(question: string, { at, zone = UTC }: Asked): Day[] {
  const { year, month, day } = localTime(at, zone);
  const daysAgo = (count: number): Day => {
    const date = new Date(Date.UTC(year, month - 1, day - count));
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  };
  const monthsAgo = (count: number): Day => {
    const date = new Date(Date.UTC(year, month - 1 - count, 1));
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
  };
  const found: Day[] = [];
  if (/\btoday\b/i.test(question)) found.push(daysAgo(0));
  if (/(?<!\bday before )\byesterday\b/i.test(question)) found.push(daysAgo(1));
  if (/\bday before yesterday\b/i.test(question)) found.push(daysAgo(2));
  for (const [, count] of question.matchAll(/\b(\d{1,3}) days ago\b/gi)) found.push(daysAgo(Number(count)));
  if (/\bthis month\b/i.test(question)) found.push(monthsAgo(0));
  if (/\blast month\b/i.test(question)) found.push(monthsAgo(1));
  return found;
}
