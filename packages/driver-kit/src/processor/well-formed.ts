import type { Json } from '@pagefault/contracts';

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Text that can be written as UTF-8: lone surrogates become U+FFFD, as every encoder would make them. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, '\ufffd');
}

export function wellFormedJson(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(wellFormedJson);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [wellFormed(key), wellFormedJson(inner)]),
  );
}

/** What is wrong with the text of a call's arguments; undefined when it is the JSON of an object. */
export function argumentProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? undefined : 'the arguments are not a JSON object';
  } catch (error) {
    return `the arguments are not valid JSON (${error instanceof Error ? error.message : String(error)})`;
  }
}
