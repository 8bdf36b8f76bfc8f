import type { ErrorCode } from '@pagefault/contracts';
import type { Done, Task } from './task.js';

export interface Asked {
  readonly id: number;
  readonly task: Task;
}

export interface Answer {
  readonly id: number;
  readonly done?: Done;
  readonly failure?: Failure;
}

/** An error as plain data: errors lose their code and hint between threads. */
export interface Failure {
  readonly message: string;
  readonly code?: ErrorCode;
  readonly hint?: string;
  /** Of what a policy threw. */
  readonly stack?: string;
}
