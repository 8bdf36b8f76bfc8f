/**
 * Trajectories of SWE-agent: a model works in a shell with a viewer that shows a window of one file at a time.
 *
 * Needs are derived: `open F` after an earlier view of F, and `goto`, `edit` and the like while F is open, need the latest
 * view of F. They are guesses: the model may want other lines than it saw, and what it recalls of a file without a command
 * is not seen at all.
 */
import { basename } from 'node:path';
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { isDefined, Readings, TraceBuilder } from './builder.js';
import {
  CHARACTERS_BY_FOUR,
  headerOf,
  type ImportOptions,
  shaped,
  type TraceSource,
  wholeJson,
} from './source.js';
import { wordsOf } from './words.js';

const part = z.object({ text: z.string().default('') });
const trajectory = z.object({
  history: z.array(
    z.object({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      content: z.union([
        z.string(),
        z.array(part).transform((parts) => parts.map(({ text }) => text).join('\n')),
      ]),
      action: z.string().nullish(),
      is_demo: z.boolean().nullish(),
    }),
  ),
});
type Entry = z.output<typeof trajectory>['history'][number];

export const sweAgent: TraceSource = {
  name: 'swe-agent',
  reads: 'SWE-agent trajectories (.traj)',
  needs: ['derived'],
  needsFrom: 'open, goto and edit of a file that was seen need its latest view',
  licence: 'MIT (SWE-agent/SWE-agent)',
  files: /\.traj$/,
  matches: ({ name, text }) => name.endsWith('.traj') || /^\s*\{[^]*"history"\s*:\s*\[/.test(text),
  read: readTrajectory,
};

async function* readTrajectory(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const { history } = shaped(trajectory, await wholeJson(file), basename(file));
  yield await headerOf(sweAgent, file, options, { clock: 'made', schedule: 'calls 10 s apart' });
  const count = (options.tokenizer ?? CHARACTERS_BY_FOUR).count;
  const [trace, views] = [new TraceBuilder('derived'), new Views()];
  let action: string | undefined;
  for (const entry of history) {
    const tok = count(entry.content);
    if (entry.role === 'assistant') {
      action = entry.action ?? '';
      yield trace.step(tok, [views.neededBy(action)].filter(isDefined));
    }
    const isResult = action !== undefined && (entry.role === 'tool' || entry.role === 'user');
    const seen = isResult ? views.look(entry.content) : undefined;
    const page = trace.page({
      tok,
      kind: isResult ? 'tool_result' : kindOf(entry),
      ...(seen && { obj: seen.file, ver: seen.ver }),
      ...wordsOf(entry.content),
    });
    yield page;
    if (!seen) continue;
    const before = views.add(seen.file, page.id);
    // A view after an edit holds what the file is now. One after a mere move shows other lines: both hold.
    if (before !== undefined && isEdit(action ?? '') && !isRefused(entry.content))
      yield trace.supersede(before, page.id);
  }
}

function kindOf({ role }: Entry) {
  if (role === 'tool') return 'tool_result';
  return role;
}

const isEdit = (action: string) => /^\s*(?:edit|insert)\b/.test(action);
const isRefused = (observation: string) => /changes have NOT been applied/i.test(observation);

/** Which page shows which file, as the viewer titles what it shows. */
class Views {
  readonly #readings = new Readings();
  readonly #files: string[] = [];
  #open: string | undefined;

  look(observation: string): { readonly file: string; readonly ver: number } | undefined {
    const title = /\[File: (.+?) \(\d+ lines total\)\]/.exec(observation)?.[1];
    if (title === undefined) return undefined;
    const file = this.#known(title) ?? title;
    return { file, ver: this.#readings.nextVersion(file) };
  }

  add(file: string, page: number): number | undefined {
    if (!this.#files.includes(file)) this.#files.push(file);
    this.#open = file;
    return this.#readings.add(file, page);
  }

  neededBy(action: string): number | undefined {
    const [, command = '', argument = ''] = /^\s*(\w+)(?:\s+["']?([^"'\s]+))?/.exec(action) ?? [];
    const file = command === 'open' ? this.#known(argument) : MOVES.has(command) ? this.#open : undefined;
    return file === undefined ? undefined : this.#readings.latest(file);
  }

  /** The same file goes by its whole path, by the path from a folder, or by its name alone. */
  #known(path: string): string | undefined {
    const [asked] = [plain(path)];
    return this.#files.findLast((file) => {
      const known = plain(file);
      return known === asked || known.endsWith(`/${asked}`) || asked.endsWith(`/${known}`);
    });
  }
}

const plain = (path: string) => path.replace(/^(?:\.?\/)+/, '');
const MOVES = new Set(['goto', 'edit', 'insert', 'scroll_up', 'scroll_down', 'set_cursors']);
