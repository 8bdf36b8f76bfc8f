import {
  type InferRequest,
  PagefaultError,
  type ProcessorDriver,
  type ProcessorEvent,
  type ProcessorManifest,
} from '@pagefault/contracts';
import { countPieces, createTokenCounter } from '@pagefault/driver-kit';

/** The stream of one cycle, without the checks that every processor makes. */
export type Infer = (request: InferRequest, signal?: AbortSignal) => AsyncIterable<ProcessorEvent>;

/** What the processors of this package share: the head, the life cycle and counting. */
export function createBase(name: string, manifest: ProcessorManifest, infer: Infer): ProcessorDriver {
  const counter = createTokenCounter();
  let isOpen = false;
  return {
    kind: 'processor',
    name,
    specVersion: 1,
    supports: Object.freeze({ ...manifest }),
    async open(signal) {
      refuseWhenAborted(name, signal);
      isOpen = true;
    },
    async close() {
      isOpen = false;
    },
    async *infer(request, signal) {
      refuseWhenClosed(name, isOpen);
      refuseWhenAborted(name, signal);
      yield* infer(request, signal);
    },
    async count(pieces, signal) {
      refuseWhenClosed(name, isOpen);
      refuseWhenAborted(name, signal);
      return countPieces(counter, pieces);
    },
  };
}

/** Errors: `E_ABORTED`. */
export function refuseWhenAborted(driver: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new PagefaultError('E_ABORTED', `${driver} was stopped by its caller`, {
    driver,
    cause: signal.reason,
  });
}

function refuseWhenClosed(driver: string, isOpen: boolean): void {
  if (isOpen) return;
  throw new PagefaultError('E_NOT_OPEN', `${driver} is not open`, {
    driver,
    hint: 'call open() first, and no method after close()',
  });
}
