/** An embedder that knows themes, not words: texts of one theme are near each other. Deterministic. */
import type { EmbedderDriver } from '@pagefault/contracts';

const THEMES: readonly RegExp[] = [
  /alpaca|wool|herd|animals/i,
  /boat|sail|harbour|ship/i,
  /bread|oven|bake|loaf/i,
];

export function themeEmbedder(
  fails: () => boolean = () => false,
): EmbedderDriver & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    kind: 'embedder',
    name: 'themes',
    specVersion: 1,
    supports: Object.freeze({ dimension: THEMES.length + 1, maxTokens: 512, fingerprint: 'themes-1' }),
    texts,
    open: async () => undefined,
    close: async () => undefined,
    embed: async (asked) => {
      if (fails()) throw new Error('embedder is down');
      texts.push(...asked);
      return asked.map(vectorOf);
    },
  };
}

function vectorOf(text: string): Float32Array {
  const raw = [...THEMES.map((theme) => (theme.test(text) ? 1 : 0)), 0.1];
  const length = Math.hypot(...raw);
  return Float32Array.from(raw, (value) => value / length);
}
