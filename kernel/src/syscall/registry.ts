import { archivalMemoryInsert } from './archival-memory-insert.js';
import { archivalMemorySearch } from './archival-memory-search.js';
import { conversationSearch } from './conversation-search.js';
import { conversationSearchDate } from './conversation-search-date.js';
import { coreMemoryAppend } from './core-memory-append.js';
import { coreMemoryReplace } from './core-memory-replace.js';
import { pageIn } from './page-in.js';
import { pin } from './pin.js';
import { cancelTimer } from './cancel-timer.js';
import { setTimer } from './set-timer.js';
import { sendMessage } from './send-message.js';
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
  pin,
  unpin,
  setTimer,
  cancelTimer,
];
