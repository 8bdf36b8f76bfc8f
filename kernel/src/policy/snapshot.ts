/** How policies write down what they know: JSON with the policy's name in it, checked when it is read back. */
import type { PageId, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { LARGEST_PAGE } from './frames.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const whole = z.int().min(0);
export const pageId = whole.max(LARGEST_PAGE);
export const bit = z.union([z.literal(0), z.literal(1)]);

/** A row a page, its id first; no page twice. */
export function rows<Row extends z.ZodType<readonly [number, ...unknown[]]>>(row: Row) {
  return z.array(row).refine((all) => isOnceEach(all.map(([id]) => id)));
}

export function isOnceEach(ids: readonly PageId[]): boolean {
  return new Set(ids).size === ids.length;
}

/** Pages with what they take. */
export const sizedRows = rows(z.tuple([pageId, whole]));
export type SizedRows = readonly (readonly [PageId, Tokens])[];

/** A page is in one list. */
export function areDisjoint(lists: readonly SizedRows[]): boolean {
  return isOnceEach(lists.flat().map(([id]) => id));
}

/** The snapshots of one policy, which know what the schema says. */
export function snapshotsOf<Schema extends z.ZodType>(policy: string, schema: Schema) {
  const stored = z.strictObject({ policy: z.literal(policy), knows: z.unknown() });
  return {
    /** Empty when it does not fit, so that the caller rebuilds. */
    write: (knows: z.input<Schema>, maxBytes: number): Uint8Array => {
      const bytes = encoder.encode(JSON.stringify({ policy, knows }));
      return bytes.length <= maxBytes ? bytes : new Uint8Array();
    },
    /** Undefined for anything but a snapshot of this policy. */
    read: (bytes: Uint8Array): z.output<Schema> | undefined => {
      const parsed = stored.safeParse(parseJson(bytes));
      return parsed.success ? schema.safeParse(parsed.data.knows).data : undefined;
    },
  };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined; // Not JSON, so no snapshot: the caller is told by `undefined` and rebuilds.
  }
}
