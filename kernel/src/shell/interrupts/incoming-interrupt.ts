/** An interrupt as a program posts it, checked and made storable. */
import { type Instant, PagefaultError, type Pid } from '@pagefault/contracts';
import type { InterruptKind } from '../../core/interrupt-kind.js';
import { interruptText, roleOf, type Sender } from '../../core/interrupt-text.js';
import type { Limits } from '../../limits.js';
import { checkKinds } from '../processes/control.js';
import type { Arrival } from './delivery.js';
import { checkedId, toMessage } from '../messages.js';

export interface IncomingInterrupt {
  /**
   * Who speaks, and so who goes first when several wait, in this order: a `user`, another process (`ipc`), a `device` (a
   * tool or a document that finished), a `timer`, the `system`. What `ipc` and `device` say is shown as data from somebody
   * else; a timer's and the system's text as a system message.
   */
  readonly kind: InterruptKind;
  readonly text: string;
  /** Default: minted. The same id is delivered once. 1 to 128 characters. */
  readonly id?: string;
  /** The name of the person, the device, the timer or the part of the system. */
  readonly name?: string;
  /** The sending process; needed for `ipc`. */
  readonly from?: { readonly pid: Pid; readonly name: string };
  /**
   * While one waits, a later one of the same kind and key is merged into it: the newest text is shown, and how many it
   * stands for. 1 to 128 characters.
   */
  readonly coalesce?: string;
  /** `steer`: a turn that is under way takes it before its next cycle. Default: it gets a turn of its own. */
  readonly delivery?: 'steer';
}

export interface Receipt {
  readonly id: string;
  /** `queued`: new in the inbox. `merged`: another that waits stands for it. `known`: the id was delivered before. */
  readonly state: 'queued' | 'merged' | 'known';
  /** The interrupt that is served for it; itself, unless it was merged. */
  readonly servedAs: string;
}

/** Errors: `E_INVALID`. */
export function toArrival(
  incoming: IncomingInterrupt,
  mintId: () => string,
  now: Instant,
  limits: Limits,
): Arrival {
  const { kind, text, id, coalesce, delivery } = incoming;
  const sender = senderOf(incoming);
  const message = toMessage(
    {
      text,
      role: roleOf(kind),
      ...(id !== undefined && { id }),
      ...(sender.name !== undefined && { name: sender.name }),
    },
    mintId,
    now,
    limits,
  );
  const said = message.parts.map((part) => ('text' in part ? part.text : '')).join('');
  const withText = (count: number) => ({
    ...message,
    parts: [{ type: 'text' as const, text: interruptText(sender, said, count) }],
  });
  const interrupt = {
    id: message.id,
    kind,
    message: withText(1),
    respond: true,
    ...(delivery && { delivery }),
    ...(coalesce !== undefined && { coalesce: `${kind}:${checkedId(coalesce)}` }),
  };
  return {
    interrupt,
    merge: (waiting) => {
      const count = (waiting.count ?? 1) + 1;
      return { ...waiting, message: { ...withText(count), id: waiting.id }, count };
    },
  };
}

function senderOf({ kind, name, from, coalesce, delivery }: IncomingInterrupt): Sender {
  checkKinds([kind]);
  if (coalesce !== undefined && delivery === 'steer') {
    throw new PagefaultError('E_INVALID', 'an interrupt cannot be coalesced and steered at once', {
      hint: 'leave out `coalesce` or `delivery`',
    });
  }
  if (kind !== 'ipc') return { kind, name };
  if (from) return { kind, name: from.name, pid: from.pid };
  throw new PagefaultError('E_INVALID', 'an interrupt of kind "ipc" has no sender', {
    hint: 'say `from`: the sending process, or its pid and name',
  });
}
