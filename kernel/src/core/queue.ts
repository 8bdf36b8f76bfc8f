/** The queue's own moves. A page is born when it is sealed; only the last page may be open. */
import type { CallPart, Message, PageId, PageKind, Seq } from '@pagefault/contracts';
import {
  makePage,
  openPage,
  type ProcessState,
  type ResidentMessage,
  type ResidentPage,
  type Stub,
} from './state.js';
import { stubMessage } from './stub.js';

export function pushPage(
  state: ProcessState,
  kind: PageKind,
  seq: Seq,
  message: Message,
  sealed: boolean,
): ProcessState {
  const id = state.head.lastPage + 1;
  const page = makePage({ id, kind, sealed, messages: [{ seq, message }] });
  return { ...state, head: { ...state.head, lastSeq: seq, lastPage: id }, pages: [...state.pages, page] };
}

export function pushResult(state: ProcessState, seq: Seq, message: Message): ProcessState {
  const head = { ...state.head, lastSeq: seq };
  return {
    ...withLastPage(state, (page) => makePage({ ...page, messages: [...page.messages, { seq, message }] })),
    head,
  };
}

export function sealPage(state: ProcessState): ProcessState {
  return withLastPage(state, (page) => makePage({ ...page, sealed: true }));
}

function withLastPage(state: ProcessState, change: (page: ResidentPage) => ResidentPage): ProcessState {
  const last = state.pages.at(-1);
  return last ? { ...state, pages: [...state.pages.slice(0, -1), change(last)] } : state;
}

export function removePages(state: ProcessState, ids: ReadonlySet<PageId>): ProcessState {
  return { ...state, pages: state.pages.filter((page) => !ids.has(page.id)) };
}

/** Shows one message as a stub. `original` may itself be a level 1 stub: it says the same handle. */
export function stubInQueue(state: ProcessState, seq: Seq, stub: Stub): ProcessState {
  const change = (message: ResidentMessage): ResidentMessage =>
    message.seq === seq ? { seq, message: stubMessage(message.message, seq, stub), stub } : message;
  const pages = state.pages.map((page) =>
    page.messages.some((message) => message.seq === seq)
      ? makePage({ ...page, messages: page.messages.map(change) })
      : page,
  );
  return { ...state, pages };
}

/** Calls of the open page that have no result yet, in order. */
export function pendingCalls(state: ProcessState): CallPart[] {
  const parts = openPage(state)?.messages.flatMap(({ message }) => message.parts) ?? [];
  const done = new Set(parts.flatMap((part) => (part.type === 'result' ? [part.callId] : [])));
  return parts.filter((part): part is CallPart => part.type === 'call' && !done.has(part.callId));
}

export function findCall(state: ProcessState, callId: string): CallPart | undefined {
  const parts = openPage(state)?.messages.flatMap(({ message }) => message.parts) ?? [];
  return parts.find((part): part is CallPart => part.type === 'call' && part.callId === callId);
}
