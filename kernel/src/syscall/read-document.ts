import { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import type { CallOutcome } from '../core/events.js';
import { groupDigits } from '../core/text.js';
import { type CallContext, defineSyscall, type MappedDocument } from './syscall.js';
import { readWindow, windowParameters } from './window.js';

export const readDocument = defineSyscall({
  name: 'read_document',
  help: 'Reads a document a window at a time, by its name or handle. Without one, lists the documents.',
  parameters: z.object({
    document: z.string().default('').describe('name or handle; left out: the list'),
    ...windowParameters,
  }),
  run: async ({ document, ...window }, context) => {
    const asked = document.trim();
    const known = await context.documents();
    if (asked === '') return list(known, context);
    const found = known.find(({ name }) => name === asked) ?? known.find(({ handle }) => handle === asked);
    const source = found && (await context.readHandle(found.handle));
    if (!source) throw unknownDocument(asked, known);
    return readWindow(source, window, context);
  },
});

/** More of them would hide what is said. */
const MOST_NAMES = 12;

/** Errors of whoever asks for a document that is not there. */
export function unknownDocument(asked: string, known: readonly MappedDocument[]): PagefaultError {
  const names = known.slice(0, MOST_NAMES).map(({ name }) => `"${name}"`);
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : '';
  return new PagefaultError('E_NOT_FOUND', `There is no document "${asked.slice(0, 80).toWellFormed()}".`, {
    hint: names.length === 0 ? 'No document is mapped' : `Documents: ${names.join(', ')}${more}`,
  });
}

/** As many as there is room for. */
async function list(known: readonly MappedDocument[], context: CallContext): Promise<CallOutcome> {
  if (known.length === 0) return { text: 'No document is mapped.' };
  for (let shown = known.length; ; shown = Math.ceil(shown / 2)) {
    const lines = known.slice(0, shown).map(lineOf);
    if (shown < known.length) lines.push(`and ${known.length - shown} more; ask for them by name`);
    const text = lines.join('\n');
    if (shown <= 1 || (await context.count(text)) <= context.windowTokens) return { text };
  }
}

function lineOf({ handle, name, characters }: MappedDocument): string {
  return `${handle}: "${name}", ${groupDigits(characters)} characters`;
}
