import type { ProcessorEvent, Tokens, Usage } from '@pagefault/contracts';

/** What a server that reports nothing has reported. */
export const NO_USAGE: Usage = { plain: 0, cached: 0, written: 0, output: 0 };

/** Tells at once what a request has used, since it may still fail; nothing when nothing was reported. */
export function usedSoFar(usage: Usage): ProcessorEvent[] {
  return usage.plain + usage.cached + usage.written + usage.output === 0 ? [] : [{ type: 'usage', usage }];
}

/** A number of tokens in what a server reports; 0 when it is not there or no number. */
export function reportedTokens(record: unknown, key: string): Tokens {
  const value = reportedField(record, key);
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.ceil(value)) : 0;
}

export function reportedField(record: unknown, key: string): unknown {
  return typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[key] : undefined;
}
