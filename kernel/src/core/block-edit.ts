/** What can be done to the working context, and who does it. */

/** An edit of a block's value. */
export type ValueEdit =
  | { readonly kind: 'append'; readonly name: string; readonly content: string }
  | { readonly kind: 'replace'; readonly name: string; readonly from: string; readonly to: string }
  | { readonly kind: 'set'; readonly name: string; readonly value: string }
  /** Undo and redo: `value` is what the history holds of that version. */
  | { readonly kind: 'restore'; readonly name: string; readonly version: number; readonly value: string };

/** An edit of what a block is. Limits are in code points. */
export type BlockChange =
  | { readonly kind: 'limit'; readonly name: string; readonly limit: number }
  | { readonly kind: 'read-only'; readonly name: string; readonly readOnly: boolean }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | {
      readonly kind: 'add';
      readonly name: string;
      readonly value: string;
      readonly limit: number;
      readonly readOnly: boolean;
    }
  | { readonly kind: 'remove'; readonly name: string }
  /** Shows a shared block under `name`. */
  | {
      readonly kind: 'attach';
      readonly name: string;
      readonly view: SharedView;
      readonly readOnly: boolean;
      readonly ownName: boolean;
    }
  | { readonly kind: 'detach'; readonly name: string };

/** What a shared block holds. */
export interface SharedView {
  /** Of the shared block. */
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly limit: number;
  readonly version: number;
  /** Who edited it last. */
  readonly by: Author;
}

export type BlockEdit = (ValueEdit | BlockChange) & {
  /** The version that the editor has read. An edit from an older one is refused; without it, the newest is edited. */
  readonly expect?: number;
};

/** Who edits: `model`, `user`, another name, or the pid of the process whose model edits a shared block. */
export type Author = string;

/** The process's own model: the only one that a read-only block is read-only to. */
export const MODEL: Author = 'model';
/** Somebody outside who gave no name. */
export const USER: Author = 'user';
/** Who wrote a block's first value. */
export const PROGRAM: Author = 'program';
