import type { Usage } from '@pagefault/contracts';
import { reportedField, reportedTokens } from '@pagefault/driver-kit';

/**
 * OpenAI's usage made comparable: its `prompt_tokens` include what was read from the cache and what was
 * written to it, so both are taken out of `plain`. What a server does not report is 0.
 */
export function readUsage(usage: unknown): Usage {
  const prompt = reportedTokens(usage, 'prompt_tokens');
  const details = reportedField(usage, 'prompt_tokens_details');
  const cached = Math.min(reportedTokens(details, 'cached_tokens'), prompt);
  const written = Math.min(reportedTokens(details, 'cache_write_tokens'), prompt - cached);
  return {
    plain: prompt - cached - written,
    cached,
    written,
    output: reportedTokens(usage, 'completion_tokens'),
  };
}
