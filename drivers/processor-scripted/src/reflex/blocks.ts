import { exchangesOf, type Exchange, type Turn } from './turn.js';

/**
 * The lines of a block as they are now: as rendered in the system text, with the edits that are still
 * in the queue on top, since a layout may render blocks later than they change.
 */
export function linesOf(turn: Turn, block: string): readonly string[] {
  const edits = exchangesOf(turn.request.messages).filter(
    (exchange) => exchange.result.isError !== true && exchange.input.name === block,
  );
  return [...new Set(edits.reduce(applyEdit, renderedLines(turn.request.system, block)))];
}

function renderedLines(system: string, block: string): readonly string[] {
  const found = [...system.matchAll(/<block\s([^>]*)>([^]*?)<\/block>/g)].findLast(([, attributes]) =>
    attributes?.includes(`name="${block}"`),
  );
  return trimmedLines(found?.[2] ?? '');
}

/** A whole line, as reflex writes it. */
const LABELLED = /^[^:\n]{1,60}: /;

function applyEdit(lines: readonly string[], { name, input }: Exchange): readonly string[] {
  if (name === 'core_memory_append') return [...lines, ...trimmedLines(String(input.content))];
  if (name !== 'core_memory_replace') return lines;
  const [old, fresh] = [String(input.old_content), String(input.new_content)];
  if (old === '') return lines;
  // The lines may have been rendered after the edit: it must not be made again in what only begins like the old line.
  if (LABELLED.test(old)) return lines.map((line) => (line === old ? fresh : line)).filter(isThere);
  const isMade = (line: string) => fresh.includes(old) && line.includes(fresh);
  // A function, since `$&` in a replacement string has a meaning.
  return lines.map((line) => (isMade(line) ? line : line.replace(old, () => fresh))).filter(isThere);
}

function trimmedLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(isThere);
}

function isThere(line: string): boolean {
  return line !== '';
}
