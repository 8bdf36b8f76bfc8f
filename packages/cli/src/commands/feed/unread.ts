import { formatNumber } from '../../terminal/index.js';

/** As other programs call it. */
const TIME = /time|date|created|^(at|ts)$/i;
const SHOWN = 8;

/** What a transcript holds and nobody reads, so that a key of another name is not missed in silence. */
export function unreadLines(file: string, unread: ReadonlyMap<string, number>): readonly string[] {
  const lines = [...unread].slice(0, SHOWN).map(([key, count]) => {
    const hint = TIME.test(key) ? '; name it "time" to have it as the time of the message' : '';
    const where = count === 1 ? 'one line' : `${formatNumber(count)} lines`;
    return `${file}: ${JSON.stringify(key)} is not read (in ${where})${hint}`;
  });
  const more = unread.size - lines.length;
  return more > 0 ? [...lines, `${file}: nor are ${more} other keys`] : lines;
}
