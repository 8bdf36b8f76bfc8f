const STAND_IN = '[redacted]';

/** Shorter strings are no secrets, and taking them out would garble every message. */
const SHORTEST_SECRET = 4;

/** What looks like a credential wherever it comes from: keys as providers echo them, bearer tokens, passwords in URLs. */
const CREDENTIAL_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sk|pk|rk)-[\w*.-]{6,}/g, STAND_IN],
  // As services mask the key that they refuse: its ends are still of it.
  [/[\w.-]*\*{4,}[\w.-]*/g, STAND_IN],
  [/\b(Bearer|Basic)\s+[\w+/=.~-]{6,}/gi, `$1 ${STAND_IN}`],
  [/(:\/\/)[^\s/@]+@/g, `$1${STAND_IN}@`],
  [/\b(api[-_]?key|password|token)(["']?\s*[=:]\s*["']?)[^\s"'&,;]{4,}/gi, `$1$2${STAND_IN}`],
];

/** `text` without the given secrets, in plain or URL form, and without anything shaped like a credential. */
export function redact(text: string, secrets: readonly (string | undefined)[] = []): string {
  let clean = text;
  for (const secret of spellings(secrets)) clean = clean.replaceAll(secret, STAND_IN);
  for (const [shape, replacement] of CREDENTIAL_SHAPES) clean = clean.replace(shape, replacement);
  return clean;
}

// Longest first, so that a secret which is part of another one leaves no rest of it.
function spellings(secrets: readonly (string | undefined)[]): string[] {
  const all = secrets.flatMap((secret) => (secret === undefined ? [] : [secret, encodeURIComponent(secret)]));
  const distinct = [...new Set(all)].filter((secret) => secret.length >= SHORTEST_SECRET);
  return distinct.sort((a, b) => b.length - a.length);
}

/** Characters that one error may take in a description. */
const MESSAGE_LIMIT = 400;
const MOST_CAUSES = 3;

/**
 * One line about an error of an SDK or of the network that can be shown, logged and told to a model:
 * message, status, code and causes. Never its headers, its request or its body.
 */
export function describeError(error: unknown, secrets: readonly (string | undefined)[] = []): string {
  const told = new Set<string>();
  let current: unknown = error;
  // Counted by depth: causes can go round in a circle.
  for (let depth = 0; depth <= MOST_CAUSES && current !== undefined && current !== null; depth += 1) {
    told.add(describeOne(current));
    current = field(current, 'cause');
  }
  return redact([...told].join('; cause: ') || String(error), secrets);
}

function describeOne(error: unknown): string {
  const message = field(error, 'message');
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : nameOf(error);
  const marks = [field(error, 'status'), field(error, 'code')].filter(
    (mark) => (typeof mark === 'string' || typeof mark === 'number') && !text.includes(String(mark)),
  );
  const line = text.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_LIMIT) || nameOf(error);
  return marks.length === 0 ? line : `${line} (${marks.join(', ')})`;
}

function nameOf(error: unknown): string {
  const name = field(error, 'name');
  return typeof name === 'string' ? name : typeof error;
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
