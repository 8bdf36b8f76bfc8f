import type { Usage } from '@pagefault/contracts';

export const NO_USAGE: Usage = { plain: 0, cached: 0, written: 0, output: 0 };

/**
 * OpenAI's usage made comparable: its `prompt_tokens` include what was read from the cache and what was
 * written to it, so both are taken out of `plain`. What a server does not report is 0.
 */
export function readUsage(usage: unknown): Usage {
  const prompt = number(usage, 'prompt_tokens');
  const details = field(usage, 'prompt_tokens_details');
  const cached = Math.min(number(details, 'cached_tokens'), prompt);
  const written = Math.min(number(details, 'cache_write_tokens'), prompt - cached);
  return { plain: prompt - cached - written, cached, written, output: number(usage, 'completion_tokens') };
}

function number(record: unknown, key: string): number {
  const value = field(record, key);
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.ceil(value)) : 0;
}

function field(record: unknown, key: string): unknown {
  return typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[key] : undefined;
}
