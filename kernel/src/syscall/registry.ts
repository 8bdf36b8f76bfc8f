import { PagefaultError } from '@pagefault/contracts';
import { archivalMemoryInsert } from './archival-memory-insert.js';
import { archivalMemorySearch } from './archival-memory-search.js';
import { conversationSearch } from './conversation-search.js';
import { conversationSearchDate } from './conversation-search-date.js';
import { coreMemoryAppend } from './core-memory-append.js';
import { coreMemoryReplace } from './core-memory-replace.js';
import { pageIn } from './page-in.js';
import { pin } from './pin.js';
import { readDocument } from './read-document.js';
import { cancelTimer } from './cancel-timer.js';
import { setTimer } from './set-timer.js';
import { sendMessage } from './send-message.js';
import { SPEECH } from '../core/dialect/dialect.js';
import type { Syscall } from './syscall.js';
import { unpin } from './unpin.js';

/** MemGPT's seven functions, so that its prompts work, and ours. */
export const SYSCALLS: readonly Syscall[] = [
  sendMessage,
  coreMemoryAppend,
  coreMemoryReplace,
  conversationSearch,
  conversationSearchDate,
  archivalMemoryInsert,
  archivalMemorySearch,
  pageIn,
  readDocument,
  pin,
  unpin,
  setTimer,
  cancelTimer,
];

/**
 * Those with these names; all when none are given. `send_message` is always among them: without it a model in `memgpt`
 * could not speak. Each function costs tokens of every request, so a small window may want few.
 * Errors: `E_CONFIG` for an unknown name, listing the known ones.
 */
export function chooseSyscalls(names: readonly string[] | undefined): readonly Syscall[] {
  if (!names) return SYSCALLS;
  const known = SYSCALLS.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new PagefaultError('E_CONFIG', `syscalls: there is none with the name "${unknown}"`, {
      hint: `known syscalls: ${known.join(', ')}`,
    });
  }
  return SYSCALLS.filter(({ name }) => name === SPEECH || names.includes(name));
}
