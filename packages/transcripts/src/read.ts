import { beam } from './beam.js';
import { badLine, parseRecord } from './fields.js';
import { jsonl } from './jsonl.js';
import { readLines } from './lines.js';
import { locomo } from './locomo.js';
import type { JsonRecord, Place, TranscriptFormat, TranscriptMessage } from './message.js';

/** Every known format. The first that matches the first record reads the file: the narrow ones come first. */
export const FORMATS: readonly TranscriptFormat[] = [locomo, beam, jsonl];

/**
 * The messages of a transcript in order, read line by line as they are asked for. `unread` is told of each message's keys
 * that say nothing here, where all that are known are ours.
 * Errors: `E_INVALID`, naming file and line, for a line that the format does not allow, for a format that is not known
 * (the known ones are listed), and for a file that cannot be read.
 */
export async function* readTranscript(
  file: string,
  unread: (key: string) => void = () => undefined,
): AsyncGenerator<TranscriptMessage> {
  let read: ReturnType<TranscriptFormat['reader']> | undefined;
  for await (const { text, number } of readLines(file)) {
    const place = { file, line: number };
    const record = parseRecord(text, place);
    read ??= formatOf(record, place).reader(file, unread);
    yield* read(record, place);
  }
}

/** How many messages there are. Reads the whole file, so it also finds every bad line beforehand. */
export async function countMessages(file: string, unread?: (key: string) => void): Promise<number> {
  let count = 0;
  for await (const _ of readTranscript(file, unread)) count += 1;
  return count;
}

function formatOf(record: JsonRecord, place: Place): TranscriptFormat {
  const format = FORMATS.find((known) => known.matches(record));
  if (format !== undefined) return format;
  const keys = Object.keys(record).slice(0, 8).join(', ');
  const known = FORMATS.map(({ name, shape }) => `${name} ${shape}`).join('; ');
  throw badLine(place, `no known format has the keys ${keys === '' ? '(none)' : keys}`, `one of: ${known}`, {
    hint: 'bring each message into a line such as {"role": "user", "text": "Hello"}',
  });
}
