import { type Instant, PagefaultError } from '@pagefault/contracts';
import type { JsonRecord, Place, TranscriptMessage } from './message.js';

const ROLES = ['user', 'assistant', 'system'] as const;

/** An `E_INVALID` that names the file, the line and what should be there. */
export function badLine(
  { file, line }: Place,
  problem: string,
  expected: string,
  { cause, hint = `mend line ${line}, or take it out` }: { cause?: unknown; hint?: string } = {},
): PagefaultError {
  return new PagefaultError('E_INVALID', `${file}, line ${line}: ${problem}; expected ${expected}`, {
    hint,
    cause,
  });
}

// Most files whose first line is no object are one JSON document; mending a line would not help.
function notAnObject(place: Place, problem: string, cause?: unknown): PagefaultError {
  const hint =
    'a transcript has one JSON object a line; `jq -c ".[]" FILE` makes lines of a file that is one JSON list';
  return badLine(place, problem, 'a JSON object', place.line === 1 ? { hint, cause } : { cause });
}

/** The object on a line. */
export function parseRecord(text: string, place: Place): JsonRecord {
  const value = parseJson(text, place);
  if (isRecord(value)) return value;
  throw notAnObject(place, `the line holds ${describe(value)}`);
}

function parseJson(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notAnObject(place, 'the line is not JSON', cause);
  }
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string that holds more than white space. */
export function textOf(record: JsonRecord, key: string, place: Place): string {
  const value = record[key];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw badLine(place, `"${key}" is ${describe(value)}`, 'a text that is not empty');
}

export function optionalTextOf(record: JsonRecord, key: string, place: Place): string | undefined {
  return record[key] === undefined || record[key] === null ? undefined : textOf(record, key, place);
}

export function roleOf(record: JsonRecord, place: Place): TranscriptMessage['role'] {
  const role = ROLES.find((known) => known === record['role']);
  if (role !== undefined) return role;
  throw badLine(
    place,
    `"role" is ${describe(record['role'])}`,
    ROLES.map((known) => `"${known}"`).join(' or '),
  );
}

/** An id, a session or a batch: a text or a whole number. */
export function labelOf(record: JsonRecord, key: string, place: Place): string {
  const value = record[key];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return textOf(record, key, place);
}

export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(Z|[+-]\d{2}:\d{2})?$/;
// Milliseconds below this would be before 1973-03-03, seconds above it after the year 5138.
const SECONDS_BELOW = 1e11;

/** A point in time: ISO 8601 (UTC when no zone is given), or a number of seconds or milliseconds since 1970. */
export function instantOf(record: JsonRecord, key: string, place: Place): Instant {
  const value = record[key];
  const at = typeof value === 'number' ? fromNumber(value) : fromText(String(value));
  if (Number.isFinite(at)) return at;
  throw badLine(
    place,
    `"${key}" is ${describe(value)}`,
    'a time such as 2023-05-08T13:56:00Z, or milliseconds since 1970',
  );
}

function fromNumber(value: number): Instant {
  return Math.round(Math.abs(value) < SECONDS_BELOW ? value * 1000 : value);
}

function fromText(value: string): Instant {
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(value.trim()) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
}
