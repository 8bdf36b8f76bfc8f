/**
 * What an external policy is told, and what it answers: one JSON object a line. It is told of everything by lines that want
 * no answer; it is asked for victims, for who it is, and maybe for snapshots, by lines that want one line each.
 */
import type {
  Boundary,
  NeedReason,
  PageId,
  PageView,
  Residency,
  ResidencyCause,
  Tokens,
} from '@pagefault/contracts';
import { z } from 'zod';

export const PROTOCOL = 1;

/** `of` numbers the queues: each process of a kernel, each run of a simulation has a policy of its own. */
export type Told =
  | {
      readonly of: number;
      readonly type: 'configure';
      readonly capacity: number;
      readonly unit: 'tokens' | 'pages';
    }
  | { readonly of: number; readonly type: 'birth'; readonly page: PageView }
  | {
      readonly of: number;
      readonly type: 'need';
      readonly needs: readonly { readonly id: PageId; readonly why: NeedReason }[];
      readonly step: number;
    }
  | {
      readonly of: number;
      readonly type: 'residency';
      readonly page: PageId;
      readonly now: Residency;
      readonly cause: ResidencyCause;
    }
  | { readonly of: number; readonly type: 'boundary'; readonly kind: Boundary }
  /** Nobody will speak of this queue again. */
  | { readonly of: number; readonly type: 'forget' };

export type Asked =
  | { readonly type: 'hello'; readonly protocol: typeof PROTOCOL }
  | {
      readonly of: number;
      readonly type: 'victims';
      readonly release: Tokens;
      /** Oldest first. */
      readonly eligible: readonly PageId[];
      /** In the order of `eligible`. */
      readonly sizes: readonly Tokens[];
      readonly focus?: readonly number[];
      readonly step: number;
    }
  | { readonly of: number; readonly type: 'snapshot'; readonly maxBytes: number }
  | { readonly of: number; readonly type: 'restore'; readonly snapshot: string; readonly version: number };

export const helloAnswer = z.object({
  id: z.string().regex(/^[a-z0-9][\w.-]{0,63}$/i, 'it must be 1 to 64 letters, digits, "-", "_" and "."'),
  version: z.int().min(0).default(1),
  /** Whether it answers `snapshot` and `restore`. */
  snapshots: z.boolean().default(false),
});
export type Hello = z.output<typeof helloAnswer>;

export const victimsAnswer = z.object({ victims: z.array(z.int().min(0)) });
/** Any text of its own; null when it has none. */
export const snapshotAnswer = z.object({ snapshot: z.string().nullable() });
export const restoreAnswer = z.object({ restored: z.boolean() });
