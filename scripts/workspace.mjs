// The folders of the workspace's packages.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

/** Relative to the root. The globs of pnpm-workspace.yaml are plain folders or `folder/*`. */
export function workspaceFolders() {
  const yaml = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const globs = [...yaml.matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1]);
  return globs.flatMap((glob) => (glob.endsWith('/*') ? childrenOf(glob.slice(0, -2)) : [glob]));
}

function childrenOf(folder) {
  const path = join(root, folder);
  return existsSync(path) ? readdirSync(path).map((name) => join(folder, name)) : [];
}
