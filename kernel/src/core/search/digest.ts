import { fingerprint } from '../text.js';
import { fold } from './fold.js';

/**
 * The same for texts that say the same: case, accents, white space and a full stop make no difference, other marks do
 * (`-5`, `C++`, a question). `by` is who says it: the same words of two people are two things.
 */
export function digestOf(text: string, by: readonly string[] = []): string {
  const plain = fold(text)
    .replace(/\s+/g, ' ')
    .replace(/[\s.!…]+$/, '')
    .trim();
  return fingerprint(JSON.stringify([...by, plain]));
}
