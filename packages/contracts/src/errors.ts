/**
 * Every failure that a caller can meet has one of these codes. Codes are stable, messages are not:
 * branch on `code`, show `message` and `hint`.
 */
export const ERROR_CODES = {
  /** The work was stopped by an abort signal. */
  E_ABORTED: 'stopped by the caller',
  /** The processor or embedder refused the credentials. */
  E_AUTH: 'credentials missing or refused',
  /** A block edit would pass the block's limit, or its old text was not found. */
  E_BLOCK: 'a block edit was refused',
  /** Something else wrote first: an `expect` of a commit did not hold, or an id or position was taken. */
  E_CONFLICT: 'another writer was first',
  /** A configuration value is unknown, missing or out of range. */
  E_CONFIG: 'the configuration is wrong',
  /** What must be sent is larger than the budget and nothing is left to evict. */
  E_CONTEXT_IRREDUCIBLE: 'the irreducible part of main context exceeds the budget',
  /** The provider says that the request is too long although it was counted to fit. */
  E_CONTEXT_OVERFLOW: 'the provider found the request too long',
  /** The data directory is held by another operating-system process. */
  E_DATA_DIR_LOCKED: 'the data directory is in use',
  /** The data directory cannot be made, read or written, or its disk is full. */
  E_DATA_DIR: 'the data directory cannot be used',
  /** The vector's length is not the index's. */
  E_DIMENSION: 'wrong vector dimension',
  /** An argument is malformed: empty text, a zero vector, an unknown handle. */
  E_INVALID: 'an argument is malformed',
  /** The process was killed: it takes no more interrupts. */
  E_KILLED: 'the process was killed',
  /** The process is held by another kernel, or this kernel's lease was taken over. */
  E_LEASE_LOST: 'another kernel runs this process',
  /** No process, page, message or passage has this id. */
  E_NOT_FOUND: 'there is nothing with this id',
  /** The driver was never opened, or is closed. */
  E_NOT_OPEN: 'the driver is not open',
  /** The provider is overloaded or does not answer. */
  E_OVERLOADED: 'the provider is overloaded',
  /** Pins would take more of the budget than they may. */
  E_PIN_LIMIT: 'too much of the budget would be pinned',
  /** The provider's answer breaks its own protocol. */
  E_PROTOCOL: 'the provider broke its protocol',
  /** The provider's rate limit. */
  E_RATE_LIMITED: 'the rate limit was reached',
  /** A recording does not fit this kernel, or re-running it gave another request. */
  E_RECORDING: 'the recording cannot be re-run',
  /** The model refused to answer. */
  E_REFUSED: 'the model refused',
  /** The provider says that the request is wrong; sending it again would not help. */
  E_REQUEST: 'the provider refused the request',
  /** A turn, a process or the whole stack spent as much as it may. */
  E_SPEND_CAP: 'a cap on spending was reached',
  /** The store failed in a way that no other code describes. */
  E_STORAGE: 'the store failed',
  /** The summariser gave nothing that can be used. */
  E_SUMMARY: 'the summary failed',
  /** Nothing was heard within the limit. */
  E_TIMEOUT: 'the time limit passed',
  /** A line or record of a trace is not what its format says. */
  E_TRACE: 'the trace cannot be read',
  /** The driver's manifest says that it does not do this. */
  E_UNSUPPORTED: 'the driver does not support this',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorDetails {
  /** The driver's `name`, when one failed. */
  readonly driver?: string;
  /** What to do next: the option, the variable, or the other method. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** True when the same call may succeed later without any change. Default false. */
  readonly retryable?: boolean;
}

// A global symbol, so that errors are recognised across two copies of this package.
const MARKER = Symbol.for('@pagefault/contracts/PagefaultError');

/** The one error class. `message` names the key, the value and the limit; `hint` says what to do. */
export class PagefaultError extends Error {
  readonly code: ErrorCode;
  readonly driver: string | undefined;
  readonly hint: string | undefined;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'PagefaultError';
    this.code = code;
    this.driver = details.driver;
    this.hint = details.hint;
    this.retryable = details.retryable ?? false;
    Object.defineProperty(this, MARKER, { value: true });
  }

  static is(error: unknown): error is PagefaultError {
    return typeof error === 'object' && error !== null && MARKER in error;
  }
}

/** True when `error` is ours and has one of `codes`. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is PagefaultError {
  return PagefaultError.is(error) && codes.includes(error.code);
}
