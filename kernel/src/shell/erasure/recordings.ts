/** Recordings of a process: those that this kernel reaches go, and the places of others are told. */
import { createHash } from 'node:crypto';
import type { Pid, RecallDriver } from '@pagefault/contracts';
import type { Environment } from '../environment.js';

export const RECORDING_SPACE = 'recordings';

export interface ErasedRecordings {
  readonly deleted: readonly string[];
  /** Why they could not be deleted. */
  readonly problem?: string;
}

/** A recording that cannot be deleted holds up nothing else. */
export async function eraseRecordings({ record: store }: Environment, pid: Pid): Promise<ErasedRecordings> {
  try {
    return { deleted: (await store?.erase(pid)) ?? [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { deleted: [], problem: `recordings in ${store?.place} could not be deleted: ${reason}` };
  }
}

/** One row a place, written once. */
export async function notePlace(recall: RecallDriver, pid: Pid, place: string): Promise<void> {
  // A path may be longer than a key.
  const row = { space: RECORDING_SPACE, key: createHash('sha256').update(place).digest('hex') };
  if ((await recall.get(pid, [row])).length > 0) return;
  await recall.commit({ pid, puts: [{ ...row, value: { place } }] });
}

/** Where the process was ever recorded and this kernel does not record. */
export async function placesElsewhere(
  { services, record: store }: Pick<Environment, 'services' | 'record'>,
  pid: Pid,
): Promise<readonly string[]> {
  const rows = await services.recall.load(pid, [RECORDING_SPACE]);
  const places = rows.map(({ value }) => (value as { readonly place: string }).place);
  return places.filter((place) => place !== store?.place);
}
