import type { TraceLine } from '../../src/index.js';
import { checkTrace, collectTrace } from '../../src/index.js';

/** Values as the lines of a file, numbered from 1. */
export async function* numbered(values: readonly unknown[]) {
  for (const [at, value] of values.entries()) yield { value, number: at + 1 };
}

export const HEADER = {
  type: 'header',
  v: 1,
  id: 'made',
  source: 'a test',
  needKinds: ['annotated'],
} as const;

/** The lines as they were read, or the error. */
export async function checked(values: readonly unknown[]): Promise<TraceLine[]> {
  const lines: TraceLine[] = [];
  for await (const line of checkTrace(numbered(values))) lines.push(line);
  return lines;
}

export function collected(...lines: readonly unknown[]) {
  return collectTrace(checkTrace(numbered([HEADER, ...lines])));
}
