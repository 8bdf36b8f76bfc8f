/** `Key-value pair: key = K, value = V`, as the nested key-value task of the MemGPT paper writes it. */
const NAMED = /\bkey\s*[=:]\s*"?([^\s",]+)"?\s*,\s*value\s*[=:]\s*"?([^\s",]+)/gi;

/** `"K": "V"`, as in JSON. */
const QUOTED = /"([^"\\]+)"\s*:\s*"([^"\\]+)"/g;

/** The value of exactly this key in a text that may list other pairs as well. */
export function valueOf(key: string, text: string): string | undefined {
  const pairs = [...text.matchAll(NAMED), ...text.matchAll(QUOTED)];
  return pairs.find((pair) => pair[1] === key)?.[2];
}
