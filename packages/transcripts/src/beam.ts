import { basename, dirname } from 'node:path';
import type { Instant } from '@pagefault/contracts';
import { badLine, describe, labelOf, optionalTextOf, roleOf, textOf } from './fields.js';
import type { JsonRecord, Place, TranscriptFormat, TranscriptMessage } from './message.js';

/**
 * BEAM (Tavakoli et al. 2025), one message a line. A batch is a session. Only some messages carry a time; it holds
 * until the next one. `index` and `question_type` describe how the set was made and are never shown.
 */
export const beam: TranscriptFormat = {
  name: 'BEAM messages',
  shape: '{"id", "role", "batch", "content", "time_anchor"}',
  matches: (record) => 'batch' in record && 'content' in record && 'role' in record,
  reader: createReader,
};

function createReader(file: string) {
  const conversation = conversationOf(file);
  let at: Instant | undefined;
  return (record: JsonRecord, place: Place): readonly TranscriptMessage[] => {
    at = anchorOf(record, place) ?? at;
    return [
      {
        id: `${conversation}/${labelOf(record, 'id', place)}`,
        conversation,
        role: roleOf(record, place),
        text: textOf(record, 'content', place),
        ...(at === undefined ? {} : { at }),
        session: `${conversation}/batch-${labelOf(record, 'batch', place)}`,
      },
    ];
  };
}

// Files are named by number, and the folder above tells the size: 500K/01.messages.jsonl.
function conversationOf(file: string): string {
  const number = basename(file)
    .replace(/\.jsonl$/, '')
    .replace(/\.messages$/, '');
  const size = basename(dirname(file));
  return /^\d+[KM]$/.test(size) ? `${size}-${number}` : number;
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

function anchorOf(record: JsonRecord, place: Place): Instant | undefined {
  const anchor = optionalTextOf(record, 'time_anchor', place);
  if (anchor === undefined) return undefined;
  const [, month = '', day, year] = /^([A-Z][a-z]+)-(\d{1,2})-(\d{4})$/.exec(anchor) ?? [];
  const at = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day));
  if (MONTHS.includes(month) && Number.isFinite(at)) return at;
  throw badLine(place, `"time_anchor" is ${describe(anchor)}`, 'a day such as March-15-2024');
}
