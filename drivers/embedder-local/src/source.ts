import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { wrongOption } from '@pagefault/driver-kit';
import { DRIVER } from './model/facts.js';
import { BUNDLED } from './options.js';

/** Where a model is. */
export type Source =
  | { readonly kind: 'bundled' }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'hub'; readonly id: string };

const HUB_ID = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

/** A folder is told from a hub id by how it begins: with a dot, a slash or a tilde. Errors: `E_CONFIG`. */
export function sourceOf(model: string): Source {
  if (model === BUNDLED) return { kind: 'bundled' };
  if (model === '~' || /^~[\\/]/.test(model))
    return { kind: 'folder', path: join(homedir(), model.slice(1)) };
  if (isAbsolute(model) || /^\.{1,2}([\\/]|$)/.test(model)) return { kind: 'folder', path: resolve(model) };
  if (HUB_ID.test(model)) return { kind: 'hub', id: model };
  throw wrongOption(
    DRIVER,
    `model: "${model}" is neither "${BUNDLED}" nor a folder nor a hub id`,
    'a folder begins with ./, ../, ~/ or /; a hub id is owner/name, such as Xenova/all-MiniLM-L6-v2',
  );
}
