import { hintsOf } from '@pagefault/kernel';
import type { PageLine } from '../trace/format.js';

/** What the kernel would tell a policy of a page with this text: numbers of its words, and how many exact values it has. */
export function wordsOf(text: string): Pick<PageLine, 'terms' | 'imp'> {
  const { terms, facts } = hintsOf([text]);
  return { ...(terms.length > 0 && { terms: [...terms] }), ...(facts > 0 && { imp: facts }) };
}
