import type { InferRequest, Message } from '@pagefault/contracts';
import { exchangesOf, type Exchange, isCall, textOf, type Turn } from './turn.js';

/**
 * The lines of a block as they are now: as rendered in the prefix, with what changed since on top, since a layout may
 * render blocks later than they change. What changed is told by edits in the queue, and by notes about edits of others.
 */
export function linesOf(turn: Turn, block: string): readonly string[] {
  const { lines, version } = renderedBlock(prefixOf(turn.request), block) ?? { lines: [], version: 0 };
  const changes = changesOf(turn.request.messages, block).filter((change) => change.version > version);
  return [...new Set(changes.reduce((all, change) => change.apply(all), lines))];
}

type Lines = readonly string[];

interface Change {
  /** The block's version after it; beyond any when it is not told. */
  readonly version: number;
  apply(lines: Lines): Lines;
}

/** Where blocks are rendered: in the system text, or in a message of their own. */
function prefixOf({ system, messages }: InferRequest): string {
  return [system, ...messages.filter(({ id }) => id === 'blocks').map(textOf)].join('\n');
}

function renderedBlock(text: string, block: string): { lines: Lines; version: number } | undefined {
  const found = [...text.matchAll(/<block\s([^>]*)>([^]*?)<\/block>/g)].findLast(([, attributes]) =>
    attributes?.includes(`name="${block}"`),
  );
  if (found === undefined) return undefined;
  const version = /version="(\d{1,15})"/.exec(found[1] ?? '')?.[1];
  return { lines: trimmedLines(found[2] ?? ''), version: Number(version ?? 0) };
}

/** In the order of the queue. */
function changesOf(messages: readonly Message[], block: string): readonly Change[] {
  const exchanges = new Map(exchangesOf(messages).map((exchange) => [exchange.result.callId, exchange]));
  return messages.flatMap((message) => {
    if (message.notice === 'block-edit') return noted(textOf(message), block);
    const own = message.parts.filter(isCall).flatMap(({ callId }) => exchanges.get(callId) ?? []);
    return own.filter(({ input, result }) => result.isError !== true && input.name === block).map(edited);
  });
}

function edited(exchange: Exchange): Change {
  const version = /\(version (\d{1,15})\)/.exec(exchange.result.text)?.[1];
  return {
    version: version === undefined ? Number.POSITIVE_INFINITY : Number(version),
    apply: (lines) => applyEdit(lines, exchange),
  };
}

/** The block whole, or the lines that went and came. */
function noted(note: string, block: string): readonly Change[] {
  const whole = renderedBlock(note, block);
  if (whole !== undefined) return [{ version: whole.version, apply: () => whole.lines }];
  const [head = '', ...rest] = note.replace(/\]$/, '').split('\n');
  const version = /at version (\d{1,15})\./.exec(head)?.[1];
  if (version === undefined || !head.startsWith(`[Block "${block}" `)) return [];
  const marked = (mark: string) =>
    rest.flatMap((line) => (line.startsWith(mark) ? trimmedLines(line.slice(mark.length)) : []));
  const [gone, come] = [marked('- '), marked('+ ')];
  const apply = (lines: Lines) => [...lines.filter((line) => !gone.includes(line)), ...come];
  return [{ version: Number(version), apply }];
}

/** A whole line, as reflex writes it. */
const LABELLED = /^[^:\n]{1,60}: /;

function applyEdit(lines: Lines, { name, input }: Exchange): Lines {
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

function trimmedLines(text: string): Lines {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(isThere);
}

function isThere(line: string): boolean {
  return line !== '';
}
