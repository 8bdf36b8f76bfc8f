import type { Instant } from '@pagefault/contracts';
import { badLine, describe, instantOf, isRecord, labelOf, optionalTextOf, textOf } from './fields.js';
import type { JsonRecord, Place, TranscriptFormat, TranscriptMessage } from './message.js';

/**
 * LoCoMo (Maharana et al. 2024), one session a line. The two speakers have no roles: speaker_a is taken as the user,
 * speaker_b as the assistant. A picture is present by its caption. A session has one time; its turns follow at
 * one second each, so that their order shows in their times.
 */
export const locomo: TranscriptFormat = {
  name: 'LoCoMo sessions',
  shape:
    '{"sample_id", "session", "date_time", "speaker_a", "speaker_b", "turns": [{"dia_id", "speaker", "text"}]}',
  matches: (record) => 'sample_id' in record && 'turns' in record,
  reader: () => readSession,
};

interface Session {
  readonly record: JsonRecord;
  readonly conversation: string;
  readonly name: string;
  readonly start: Instant;
}

function readSession(record: JsonRecord, place: Place): TranscriptMessage[] {
  const conversation = textOf(record, 'sample_id', place);
  const session: Session = {
    record,
    conversation,
    name: `${conversation}/session-${labelOf(record, 'session', place)}`,
    start: instantOf(record, 'date_time', place),
  };
  return turnsOf(record, place).map((turn, index) => readTurn(session, turn, index, place));
}

function turnsOf(record: JsonRecord, place: Place): readonly JsonRecord[] {
  const { turns } = record;
  if (Array.isArray(turns) && turns.every(isRecord)) return turns;
  throw badLine(place, `"turns" is ${describe(turns)}`, locomo.shape);
}

function readTurn(session: Session, turn: JsonRecord, index: number, place: Place): TranscriptMessage {
  const speaker = textOf(turn, 'speaker', place);
  return {
    id: `${session.conversation}/${textOf(turn, 'dia_id', place)}`,
    conversation: session.conversation,
    role: roleOfSpeaker(session.record, speaker, place),
    text: withCaption(turn, place),
    name: speaker,
    at: session.start + index * 1000,
    session: session.name,
  };
}

function roleOfSpeaker(record: JsonRecord, speaker: string, place: Place): TranscriptMessage['role'] {
  const a = textOf(record, 'speaker_a', place);
  const b = textOf(record, 'speaker_b', place);
  if (speaker === a) return 'user';
  if (speaker === b) return 'assistant';
  throw badLine(place, `the speaker is "${speaker}"`, `"${a}" or "${b}"`);
}

function withCaption(turn: JsonRecord, place: Place): string {
  const caption = optionalTextOf(turn, 'image_caption', place);
  if (caption === undefined) return textOf(turn, 'text', place);
  const text = typeof turn['text'] === 'string' ? turn['text'].trimEnd() : '';
  return `${text} [image: ${caption}]`.trimStart();
}
