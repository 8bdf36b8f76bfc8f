import { basename } from 'node:path';
import { badLine, instantOf, labelOf, optionalTextOf, roleOf, textOf } from './fields.js';
import type { JsonRecord, Place, TranscriptFormat, TranscriptMessage } from './message.js';

/** One message a line, the form to convert others into. The conversation is named after the file. */
export const jsonl: TranscriptFormat = {
  name: 'JSONL messages',
  shape: '{"role", "text" or "content", and where known "id", "name", "time", "session"}',
  matches: (record) => 'role' in record && ('text' in record || 'content' in record),
  reader: createReader,
};

const KEYS: ReadonlySet<string> = new Set(['role', 'text', 'content', 'id', 'name', 'time', 'session']);

function createReader(file: string, unread: (key: string) => void) {
  const conversation = basename(file).replace(/\.(jsonl|ndjson|json|txt)$/i, '');
  const ids = new Set<string>();
  let position = 0;
  return (record: JsonRecord, place: Place): readonly TranscriptMessage[] => {
    position += 1;
    for (const key of Object.keys(record)) if (!KEYS.has(key)) unread(key);
    const label = has(record, 'id') ? labelOf(record, 'id', place) : String(position);
    if (ids.has(label))
      throw badLine(place, `the id "${label}" was used before`, 'an id of its own, or none');
    ids.add(label);
    return [readMessage(record, conversation, label, place)];
  };
}

function readMessage(
  record: JsonRecord,
  conversation: string,
  label: string,
  place: Place,
): TranscriptMessage {
  const name = optionalTextOf(record, 'name', place);
  return {
    id: `${conversation}/${label}`,
    conversation,
    role: roleOf(record, place),
    text: textOf(record, has(record, 'text') ? 'text' : 'content', place),
    ...(name === undefined ? {} : { name }),
    ...(has(record, 'time') ? { at: instantOf(record, 'time', place) } : {}),
    ...(has(record, 'session') ? { session: `${conversation}/${labelOf(record, 'session', place)}` } : {}),
  };
}

function has(record: JsonRecord, key: string): boolean {
  return record[key] !== undefined && record[key] !== null;
}
