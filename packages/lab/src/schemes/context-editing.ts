/**
 * Context editing: past a threshold all results of functions but the newest three are cleared. Nothing else leaves, but over
 * the budget.
 * Source: the context editing of Anthropic's API, `clear_tool_uses_20250919`, with its defaults: from 100,000 tokens on, which
 * is half of a window of 200,000, three stay. What stands in their place is taken for 10 tokens.
 */
import { clearToolResults } from '@pagefault/kernel';
import { masking, resultsBefore } from './masking.js';
import type { Scheme } from './scheme.js';

const KEPT = 3;
const TOMBSTONE = 10;

export const contextEditing: Scheme = {
  name: 'context-editing',
  make: () =>
    masking('context-editing', clearToolResults({ keep: KEPT }), (pages) => resultsBefore(pages, KEPT)),
  setup: {
    masking: { above: 0.5, tokens: TOMBSTONE },
    remains: { kind: 'tombstone', tokens: TOMBSTONE },
  },
};
