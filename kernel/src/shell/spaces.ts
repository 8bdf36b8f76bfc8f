/** All spaces of rows that a kernel writes, by what they are a part of. */
import type { Space } from '@pagefault/contracts';
import { BLOCK_HISTORY_SPACE } from '../core/block-history.js';
import {
  COALESCING_SPACE,
  DELIVERY_SPACE,
  INBOX_SPACE,
  OUTBOX_SPACE,
  PASSAGE_SPACE,
} from '../core/journal.js';
import { DOCUMENT_SPACE, DOCUMENT_TEXT_SPACE } from '../core/mapped-document.js';
import { BLOCK_SPACE, STATE_SPACE } from '../core/records.js';
import { SPEND_SPACE } from '../core/spend.js';
import { TIMER_SPACE } from '../timer/timer.js';
import { MARK_SPACE, SHARED_SPACE } from './blocks/shared-store.js';
import { ERASURE_SPACE } from './erasure/job.js';
import { RECORDING_SPACE } from './erasure/recordings.js';
import { SECOND_LOOK_SPACE } from './erasure/second-look.js';
import { CONTROL_SPACE } from './processes/control.js';
import { POLICY_SPACE } from './processes/policy-state.js';
import { DEAD_LETTER_SPACE } from './search/outbox-rows.js';
import { SCOPE_SPACE } from './search/scopes.js';
import { CHILD_SPACE, PROCESS_ROW } from './storage.js';

/** What a process is and remembers, wherever it is stored. The process's own row is not among them. */
export const MEMORY_SPACES: readonly Space[] = [
  STATE_SPACE,
  BLOCK_SPACE,
  BLOCK_HISTORY_SPACE,
  MARK_SPACE,
  POLICY_SPACE,
  PASSAGE_SPACE,
  DOCUMENT_SPACE,
  DOCUMENT_TEXT_SPACE,
  INBOX_SPACE,
  COALESCING_SPACE,
  DELIVERY_SPACE,
  TIMER_SPACE,
  CONTROL_SPACE,
  CHILD_SPACE,
  RECORDING_SPACE,
  SPEND_SPACE,
  ERASURE_SPACE,
];

/** What is known of one archival index, and of work on it. */
export const INDEX_SPACES: readonly Space[] = [
  OUTBOX_SPACE,
  DEAD_LETTER_SPACE,
  SCOPE_SPACE,
  SECOND_LOOK_SPACE,
];

/** By these rows processes and shared blocks are found. */
export const OWNER_SPACES: readonly Space[] = [PROCESS_ROW.space, SHARED_SPACE];
