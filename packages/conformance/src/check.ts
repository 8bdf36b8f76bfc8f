import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type ErrorCode, PagefaultError } from '@pagefault/contracts';

/** Deep equality of what was stored and what came back. */
export const same: typeof assert.deepStrictEqual = assert.deepStrictEqual;

export const holds: typeof assert.ok = assert.ok;

/** The work must fail with this code. */
export async function rejects(code: ErrorCode, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.equal(codeOf(error), code, `should reject with ${code}`);
}

/** The code of an error of ours, for comparisons; otherwise what it is instead. */
export function codeOf(error: unknown): string {
  if (PagefaultError.is(error)) return error.code;
  return error === undefined ? 'no error' : `not a PagefaultError: ${inspect(error)}`;
}

/** The members of the contract's common head, a frozen manifest, and the methods of its kind. */
export function checkHead(driver: object, kind: string, methods: readonly string[]): void {
  const head = driver as { kind?: unknown; name?: unknown; specVersion?: unknown; supports?: unknown };
  assert.equal(head.kind, kind, `\`kind\` is '${kind}', not ${inspect(head.kind)}`);
  assert.equal(head.specVersion, 1, `\`specVersion\` is 1, not ${inspect(head.specVersion)}`);
  holds(typeof head.name === 'string' && head.name !== '', 'the driver has a name');
  holds(
    typeof head.supports === 'object' && head.supports !== null,
    `\`supports\` is an object, the manifest, not ${inspect(head.supports)}`,
  );
  holds(Object.isFrozen(head.supports), 'the manifest is frozen: wrap it in Object.freeze');
  const has = driver as Readonly<Record<string, unknown>>;
  const absent = ['open', 'close', ...methods].filter((name) => typeof has[name] !== 'function');
  same(absent, [], `the driver has no ${absent.join(', ')}: each is a method of the contract`);
}
