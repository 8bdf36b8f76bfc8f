import type { Tokens } from '@pagefault/contracts';
import { wrongOption } from '@pagefault/driver-kit';
import { DRIVER } from '../model/facts.js';
import type { LocalEmbedderSettings, Pooling } from '../options.js';

/** What has to be known of a sentence transformer before it is opened. */
export interface TransformerFacts {
  readonly dimension: number;
  /** Special tokens and prefix included. */
  readonly maxTokens: Tokens;
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

export type FactOptions = Pick<
  LocalEmbedderSettings,
  'dimension' | 'maxTokens' | 'pooling' | 'queryPrefix' | 'documentPrefix'
>;

/** Options go before what the model's folder, or the table, says. Errors: `E_CONFIG`, naming what neither says. */
export function completeFacts(
  options: FactOptions,
  told: Partial<TransformerFacts>,
  where: string,
): TransformerFacts {
  const needed = <Value>(key: keyof typeof HINTS, value: Value | undefined): Value => {
    if (value !== undefined) return value;
    throw wrongOption(DRIVER, `${key}: missing, and ${where} does not tell it`, HINTS[key]);
  };
  return {
    dimension: needed('dimension', options.dimension ?? told.dimension),
    maxTokens: needed('maxTokens', options.maxTokens ?? told.maxTokens),
    pooling: needed('pooling', options.pooling ?? told.pooling),
    queryPrefix: options.queryPrefix ?? told.queryPrefix ?? '',
    documentPrefix: options.documentPrefix ?? told.documentPrefix ?? '',
  };
}

const HINTS = {
  dimension:
    'say how many numbers a vector of this model has: its page calls it embedding dimension or hidden size',
  maxTokens: 'say how many tokens one text may have: its page calls it max sequence length',
  pooling:
    "say how the vectors of tokens become one: its page tells; 'mean' for most, 'cls' for BGE and Arctic, 'last' for those made from chat models",
} as const;
