import { PagefaultError } from '@pagefault/contracts';
import { type Author, MODEL, USER } from '../../core/block-edit.js';
import { normaliseText } from '../../core/text.js';

export interface EditOptions {
  /** The version that was read. When the block has another by now the edit is refused: `E_CONFLICT`, with the new text. */
  readonly expect?: number;
  /** Who edits, for the history: 1 to 128 characters, not `model`. Default `user`. */
  readonly by?: Author;
}

export interface UndoOptions extends EditOptions {
  /** A version of the history, as a checkpoint. Default: the nearest. */
  readonly to?: number;
}

/** Errors: `E_INVALID`. */
export function checkedAuthor(by: Author = USER): Author {
  const name = normaliseText(by);
  if (name !== '' && name.length <= 128 && name !== MODEL) return name;
  throw new PagefaultError('E_INVALID', `"${name.slice(0, 40)}" cannot be who edits a block`, {
    hint: `use 1 to 128 characters; "${MODEL}" is the process's own model`,
  });
}
