import { findModel, type SizeLimits } from '@pagefault/driver-kit';

export interface ModelLimits extends SizeLimits {
  readonly images: boolean;
  /** Whether it thinks before it answers, in items that can be replayed. */
  readonly reasons: boolean;
}

/**
 * Limits as the model data of gpt-tokenizer 4.0.0 lists them (November 2026). A model is found by the longest name that
 * it begins with, so dated snapshots need no line. Options go before this table: it is a convenience.
 */
export const MODELS: Readonly<Record<string, ModelLimits>> = {
  'gpt-4': { window: 8_192, maxOutput: 4_096, images: false, reasons: false },
  'gpt-4-turbo': { window: 128_000, maxOutput: 4_096, images: true, reasons: false },
  'gpt-4.1': { window: 1_047_576, maxOutput: 32_768, images: true, reasons: false },
  'gpt-4o': { window: 128_000, maxOutput: 16_384, images: true, reasons: false },
  'gpt-4o-2024-05-13': { window: 128_000, maxOutput: 4_096, images: true, reasons: false },
  'gpt-5': { window: 400_000, maxOutput: 128_000, images: true, reasons: true },
  'gpt-5-chat': { window: 128_000, maxOutput: 16_384, images: true, reasons: false },
  'gpt-5.1-chat': { window: 128_000, maxOutput: 16_384, images: true, reasons: false },
  'gpt-5.2-chat': { window: 128_000, maxOutput: 16_384, images: true, reasons: false },
  'gpt-5.3-chat': { window: 128_000, maxOutput: 16_384, images: true, reasons: false },
  'gpt-5.4': { window: 1_050_000, maxOutput: 128_000, images: true, reasons: true },
  'gpt-5.4-mini': { window: 400_000, maxOutput: 128_000, images: true, reasons: true },
  'gpt-5.4-nano': { window: 400_000, maxOutput: 128_000, images: true, reasons: true },
  'gpt-5.5': { window: 1_050_000, maxOutput: 128_000, images: true, reasons: true },
  o1: { window: 200_000, maxOutput: 100_000, images: true, reasons: true },
  'o1-mini': { window: 128_000, maxOutput: 65_536, images: false, reasons: true },
  o3: { window: 200_000, maxOutput: 100_000, images: true, reasons: true },
  'o4-mini': { window: 200_000, maxOutput: 100_000, images: true, reasons: true },
};

/** Unknown models are mostly small ones on a server of one's own: too small a window costs flushes, too large a one refusals. */
export const UNKNOWN_MODEL: ModelLimits = { window: 32_768, maxOutput: 4_096, images: false, reasons: false };

/** The limits of a model by its name at the provider; a gateway's prefix (`openai/gpt-4o`) is passed over. */
export function limitsOfModel(model: string): ModelLimits {
  return findModel(MODELS, model) ?? UNKNOWN_MODEL;
}
