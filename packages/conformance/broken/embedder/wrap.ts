import type { EmbedderDriver } from '@pagefault/contracts';

export type Embed = EmbedderDriver['embed'];

/** A driver that embeds otherwise. */
export function embedding(
  good: EmbedderDriver,
  embed: (...call: Parameters<Embed>) => ReturnType<Embed>,
): EmbedderDriver {
  return { ...good, embed };
}

export const isBlank = (text: string): boolean => !/\S/u.test(text);
