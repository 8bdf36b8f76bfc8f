/**
 * Whether special characters that were not percent-encoded moved a part of the password behind the host. Everything
 * that is taken from such an address, the name of the host too, may be a piece of the password.
 */
export function isMisread(connectionString: string): boolean {
  const after = /^\w+:\/\/[^/?#]*(?<rest>.*)$/s.exec(connectionString)?.groups?.['rest'] ?? '';
  // A parameter may hold an @: it stands behind a = there.
  return /^[^?]*@|^[^=]*@|#.*@/s.test(after);
}

/** Where a connection string leads, without user, password and parameters. */
export function placeOf(connectionString: string | undefined): string {
  if (connectionString === undefined) return 'the given pool';
  const given = 'the given connectionString';
  if (isMisread(connectionString)) return given;
  try {
    const { host, pathname, searchParams } = new URL(connectionString);
    const socket = searchParams.get('host');
    if (socket === null) return `postgres://${host || 'localhost'}${pathname}`;
    return `postgres://${pathname}?host=${socket}&port=${searchParams.get('port') ?? '5432'}`;
  } catch {
    return given; // pg also takes forms that are no URL
  }
}

/**
 * What pg is given. It takes three modes of TLS for a fourth, and warns of that on every start; the fourth means the same
 * without a word. Whoever asks for libpq's meaning has it.
 */
export function withStrictTls(connectionString: string | undefined): string | undefined {
  if (connectionString === undefined || /[?&]uselibpqcompat=true\b/.test(connectionString))
    return connectionString;
  return connectionString.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
