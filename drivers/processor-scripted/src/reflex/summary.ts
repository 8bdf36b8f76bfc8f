import type { InferRequest } from '@pagefault/contracts';
import { cut, sentences } from './text.js';

/** Code points of a summary, and of the piece of one line in it. */
const SUMMARY_LIMIT = 1200;
const LINE_LIMIT = 200;

/** A request without tools whose system text asks for a summary. */
export function asksForSummary(request: InferRequest): boolean {
  return request.tools.length === 0 && /\bsummar/i.test(request.system);
}

/** The first sentence of each line, as far as they fit: nothing is made up. */
export function extract(request: InferRequest): string {
  const lines = request.messages
    .flatMap((message) => message.parts)
    .flatMap((part) => (part.type === 'text' ? part.text.split('\n') : []));
  const firsts = lines.flatMap((line) => sentences(line).slice(0, 1)).map((line) => cut(line, LINE_LIMIT));
  const summary = cut([...new Set(firsts)].join('\n'), SUMMARY_LIMIT);
  return summary === '' ? 'There is nothing to summarise.' : summary;
}
