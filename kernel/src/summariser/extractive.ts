/**
 * `extractive`: no model. Keeps the sentences that say most by the words they share with the rest (after Luhn 1958,
 * "The Automatic Creation of Literature Abstracts"), in their order, beside as much of the summary so far as has room.
 * Never fails, so it is also the last resort when a model does.
 */
import type { SummaryInput } from '../core/events.js';
import { analyse } from '../core/search/index.js';
import { codePoints, sliceCodePoints } from '../core/text.js';
import { type Summariser, transcriptLines } from './summariser.js';

// Two characters a token is safe for scripts whose characters are tokens; plain prose then uses half its room.
const CHARACTERS_PER_TOKEN = 2;
const LONGEST_SENTENCE = 240;
/** What the summary so far may keep when new text wants in. */
const OLD_SHARE = 0.5;

export const extractive: Summariser = {
  id: 'extractive',
  summarise: async (input) => extract(input),
};

export function extract({ previous, messages, maxTokens }: SummaryInput): string {
  const room = Math.max(40, maxTokens * CHARACTERS_PER_TOKEN);
  const fresh = sentences(transcriptLines(messages));
  if (fresh.length === 0) return sliceCodePoints(previous, 0, room);
  const old = best(sentences(previous.split('\n')), Math.floor(room * OLD_SHARE));
  const used = codePoints(old.join('\n'));
  return [...old, ...best(fresh, room - used)].join('\n');
}

function sentences(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const parts = line.split(/(?<=[.!?。！？])\s+/u).map((part) => part.trim());
    return parts.filter((part) => part !== '').map((part) => sliceCodePoints(part, 0, LONGEST_SENTENCE));
  });
}

/** The sentences of highest weight that fit, in the order in which they were said. */
function best(candidates: readonly string[], room: number): string[] {
  const weights = weigh(candidates);
  const ranked = [...candidates.keys()].toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || b - a);
  const kept = new Set<number>();
  let left = room;
  for (const index of ranked) {
    const size = codePoints(candidates[index] ?? '') + 1;
    if (size > left) continue;
    left -= size;
    kept.add(index);
  }
  return candidates.filter((_, index) => kept.has(index));
}

/** Mean frequency of a sentence's terms, so that length alone wins nothing. */
function weigh(candidates: readonly string[]): number[] {
  const terms = candidates.map((sentence) => [...new Set(analyse(sentence))]);
  const frequency = new Map<string, number>();
  for (const term of terms.flat()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return terms.map(
    (list) => list.reduce((sum, term) => sum + (frequency.get(term) ?? 0), 0) / (list.length + 1),
  );
}
