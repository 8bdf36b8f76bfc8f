/** The head that every driver has. `open` and `close` are idempotent; constructors do no work. */
export interface DriverHead<Kind extends string, Manifest> {
  readonly kind: Kind;
  /** Stable; used in errors, metrics and configuration. */
  readonly name: string;
  /** The version of the contract that the driver was written for. */
  readonly specVersion: 1;
  /** What the driver can do: frozen, fixed once constructed. The kernel branches on nothing else. */
  readonly supports: Readonly<Manifest>;
  /** Connects and checks. May be called again after it failed. */
  open(signal?: AbortSignal): Promise<void>;
  /** Safe before `open` and twice. After it, nothing that the driver opened is left. */
  close(): Promise<void>;
  /** For people, once it is open: what it found at its back end. May ask the back end; holds no secret. */
  facts?(signal?: AbortSignal): Promise<readonly Fact[]>;
}

/** For example `server`, `PostgreSQL 15.4`. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** One page of a listing. `cursor` is set when more follows. */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}
