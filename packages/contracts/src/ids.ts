/** A process: one agent. UUIDv7, minted by the kernel. */
export type Pid = string;

/** One message of a process. UUIDv7, or the caller's own id for a message that came from outside. */
export type MessageId = string;

/** Position in a process's log: 1, 2, 3 … with gaps only where a message was erased. It, and not a clock, is the order of things. */
export type Seq = number;

/** A page of a process: dense integers from 1, so that policies may index arrays by them. */
export type PageId = number;

/** Tokens of the processor that will read them. Integers; sums are upper bounds. */
export type Tokens = number;

/** Money: millionths of a US dollar, whole. One token at one dollar per million tokens costs one. */
export type MicroDollars = number;

/** A span of time in milliseconds. */
export type Milliseconds = number;

/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** What JSON can hold. Rows and attributes are limited to it, so that every store can keep them. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
