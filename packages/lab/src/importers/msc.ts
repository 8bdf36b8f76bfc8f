/**
 * MSC (Xu et al. 2022, Multi-Session Chat): two people with given personas who meet up to five times, and MemGPT's questions
 * about what they said (`self_instruct`). The first speaker is taken as the user, the second as the assistant, whose persona
 * comes first. A row, with all that came before it, is one session of the trace; only the order of its sittings is kept.
 */
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { type Chat, chatTrace, QUOTED, type Said } from './chat.js';
import { shapedObjects } from './objects.js';
import type { ImportOptions, TraceSource } from './source.js';

const spoken = z.array(z.object({ text: z.string().nullish(), id: z.string().nullish() }));
const personas = z.array(z.array(z.string())).nullish().catch(undefined);
const row = z.object({
  personas,
  init_personas: personas,
  previous_dialogs: z.array(z.object({ dialog: spoken.default([]) })).default([]),
  dialog: spoken,
  metadata: z.looseObject({ initial_data_id: z.string().nullish() }).nullish(),
  self_instruct: z.object({ A: z.string(), B: z.string() }).nullish().catch(undefined),
});
type Row = z.output<typeof row>;

export const msc: TraceSource = {
  name: 'msc',
  reads: 'Multi-Session Chat rows: JSON lines with dialog and previous_dialogs',
  needs: ['derived'],
  needsFrom: QUOTED,
  licence: 'as ParlAI publishes it (facebookresearch/ParlAI, msc)',
  files: /^(?:train|valid|test)\.txt$|msc.*\.jsonl?$/i,
  matches: ({ text }) =>
    /"dialog"\s*:\s*\[/.test(text) && /"(?:previous_dialogs|(?:init_)?personas)"\s*:/.test(text),
  read: readRows,
};

async function* readRows(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const schedule = 'replies 10 s apart, sittings and rows an hour';
  yield* chatTrace(msc, file, options, { clock: 'made', schedule }, () => chatsIn(file));
}

async function* chatsIn(file: string): AsyncGenerator<Chat> {
  for await (const { value, line, number } of shapedObjects(file, row)) {
    const held = [...value.previous_dialogs.map(({ dialog }) => dialog), value.dialog].map(saidIn);
    const [first = [], ...rest] = held.filter((said) => said.length > 0);
    const asked = value.self_instruct;
    const question: Said[] = asked
      ? [
          { role: 'user', text: asked.B },
          { role: 'assistant', text: asked.A },
        ]
      : [];
    const sittings = [[...personaOf(value), ...first], ...rest, question].filter((said) => said.length > 0);
    const id = value.metadata?.initial_data_id ?? '';
    yield { id: `${id === '' ? 'row' : id}-${number}`, line, sittings };
  }
}

function personaOf({ init_personas: initial, personas: later }: Row): Said[] {
  const lines = (initial ?? later)?.[1] ?? [];
  return lines.length > 0 ? [{ role: 'system', text: lines.join('\n') }] : [];
}

/** Who speaks is told by name, or by turns. */
function saidIn(dialog: Row['dialog']): Said[] {
  const first = dialog[0]?.id ?? undefined;
  return dialog.map(({ text, id }, at) => {
    const isFirst =
      first === undefined || id === undefined || id === null
        ? at % 2 === 0
        : /^(?:Speaker 1|bot_0)$/.test(id);
    return { role: isFirst ? 'user' : 'assistant', text: text ?? '' };
  });
}
