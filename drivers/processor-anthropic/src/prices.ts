import type { TokenPrices, TokenRates } from '@pagefault/contracts';
import { findPrices } from '@pagefault/driver-kit';

/** The day on which the list was compared with the provider's page. */
const AS_OF = '2026-11-05';

/** What is written to the cache costs so many times the input, by how long it is kept. */
const WRITTEN = { '5m': 1.25, '1h': 2, off: 1 } as const;

type Listed = Omit<TokenRates, 'written'>;

interface ListedModel extends Listed {
  readonly long?: Listed & { readonly above: number };
}

const OPUS: ListedModel = { input: 15, cached: 1.5, output: 75 };
const OPUS_SINCE_4_5: ListedModel = { input: 5, cached: 0.5, output: 25 };
const SONNET: ListedModel = { input: 3, cached: 0.3, output: 15 };
const FABLE: ListedModel = { input: 10, cached: 1, output: 50 };
const FABLE_5_1: ListedModel = { ...FABLE, cached: 0.25 };

/**
 * US dollars per million tokens as the provider's page lists them (its own service, standard tier). Options go before this
 * list: it is a convenience, and only the provider's bill is right.
 */
export const PRICES: Readonly<Record<string, ListedModel>> = {
  'claude-opus-4': OPUS,
  'claude-opus-4-1': OPUS,
  'claude-opus-4-5': OPUS_SINCE_4_5,
  'claude-opus-4-6': OPUS_SINCE_4_5,
  'claude-opus-4-7': OPUS_SINCE_4_5,
  'claude-opus-4-8': OPUS_SINCE_4_5,
  'claude-opus-5': OPUS_SINCE_4_5,
  'claude-opus-5-5': { input: 4, cached: 0.2, output: 20 },
  'claude-sonnet-4': SONNET,
  'claude-sonnet-4-5': SONNET,
  'claude-sonnet-4-6': SONNET,
  'claude-sonnet-5': { input: 2, cached: 0.2, output: 10 },
  'claude-sonnet-5-5': { input: 2, cached: 0.1, output: 10 },
  'claude-haiku-4-5': { input: 1, cached: 0.1, output: 5 },
  'claude-haiku-5-5': {
    input: 0.1,
    cached: 0.01,
    output: 0.5,
    long: { above: 100_000, input: 0.5, cached: 0.05, output: 2.5 },
  },
  'claude-fable-5': FABLE,
  'claude-fable-5-1': FABLE_5_1,
  'claude-mythos-5': FABLE,
  'claude-mythos-5-1': FABLE_5_1,
};

/** By its name at Anthropic, Bedrock or a gateway; `kept` is how long marked prefixes are. */
export function pricesOfModel(model: string, kept: keyof typeof WRITTEN = '5m'): TokenPrices | undefined {
  const found = findPrices(PRICES, model.slice(Math.max(0, model.indexOf('claude-'))));
  if (found === undefined) return undefined;
  const { long, ...short } = found;
  return {
    ...withWritten(short, kept),
    ...(long && { long: { above: long.above, ...withWritten(long, kept) } }),
    asOf: AS_OF,
  };
}

function withWritten({ input, cached, output }: Listed, kept: keyof typeof WRITTEN): TokenRates {
  return { input, cached, written: input * WRITTEN[kept], output };
}
