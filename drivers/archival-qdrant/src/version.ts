import type { Caller } from './call.js';
import { config, statusOf } from './errors.js';

/** The oldest that has all that is asked of it: indexes by tenant came with it. */
const OLDEST = { major: 1, minor: 11 };
/** The version whose description the requests are tested against. */
const TESTED = '1.19';

/** Undefined when the root tells none, as behind some proxies. */
export async function serverVersion(caller: Caller, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const data: unknown = await caller.raw(async (api, init) => (await api.root({}, init)).data, signal);
    const { version } = (data ?? {}) as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch (error) {
    if ([401, 403, 404].includes(statusOf(error) ?? 0)) return undefined;
    throw caller.failure(error);
  }
}

/** One that tells no version is passed over: what follows tells more. Errors: `E_CONFIG`, and those of a request. */
export async function checkVersion(caller: Caller): Promise<void> {
  const version = await serverVersion(caller);
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (major === undefined || minor === undefined) return;
  if (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor) return;
  throw config(
    `url: the server is Qdrant ${version}, and this driver works with ${OLDEST.major}.${OLDEST.minor} and newer of ${OLDEST.major}.x (tested with ${TESTED})`,
    'use another version of the server, or of this driver',
  );
}
