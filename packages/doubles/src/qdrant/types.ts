/** What travels to and from Qdrant, as far as the double reads it. */

/** An unsigned integer, or a UUID in lower case with hyphens. */
export type PointId = number | string;

export type Payload = Readonly<Record<string, unknown>>;

export interface StoredPoint {
  readonly id: PointId;
  readonly vector: Float32Array;
  readonly payload: Payload;
  readonly version: number;
}

export interface StrictMode {
  readonly enabled?: boolean;
  readonly max_query_limit?: number;
  readonly unindexed_filtering_retrieve?: boolean;
  readonly unindexed_filtering_update?: boolean;
  readonly search_allow_exact?: boolean;
  readonly upsert_max_batchsize?: number;
}

export interface Collection {
  readonly name: string;
  readonly size: number;
  readonly distance: string;
  /** As they were given when it was made. */
  readonly params: Payload;
  readonly strict: StrictMode;
  /** Schemas of indexed payload fields, by field. */
  readonly indexes: Map<string, Payload>;
  /** By `keyOf` their id. */
  readonly points: Map<string, StoredPoint>;
  /** Writes that were acknowledged and are not done yet, in their order. */
  readonly pending: (() => void)[];
  operations: number;
}

export interface Filter {
  readonly must?: Condition | readonly Condition[] | null;
  readonly should?: Condition | readonly Condition[] | null;
  readonly must_not?: Condition | readonly Condition[] | null;
}

export type Condition = FieldCondition | { readonly has_id: readonly PointId[] } | Filter;

export interface FieldCondition {
  readonly key: string;
  readonly match?: {
    readonly value?: unknown;
    readonly any?: readonly unknown[];
    readonly except?: readonly unknown[];
  };
  readonly range?: Readonly<Partial<Record<'gt' | 'gte' | 'lt' | 'lte', number | string | null>>>;
}
