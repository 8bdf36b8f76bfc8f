// Installs the dependencies when the lockfile, a manifest or Node changed since the last time; else does nothing.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, pnpm, root } from './processes.mjs';
import { workspaceFolders } from './workspace.mjs';

const STAMP = join(root, 'node_modules/.pagefault-installed');

export async function install() {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  const reason = existsSync(STAMP) ? 'dependencies changed' : 'first run only';
  process.stderr.write(`Installing dependencies (${reason}) …\n`);
  const { code, output } = await capture(...pnpm(['install', '--frozen-lockfile', '--prefer-offline']));
  if (code !== 0) {
    process.stderr.write(output);
    throw new Error('the installation failed; the reason is above');
  }
  writeFileSync(STAMP, wanted);
}

// Node and the platform are in it because some packages bring binaries.
function fingerprint() {
  const hash = createHash('sha256').update([process.version, process.platform, process.arch].join());
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests()];
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function manifests() {
  return workspaceFolders()
    .map((folder) => join(folder, 'package.json'))
    .filter((file) => existsSync(join(root, file)))
    .toSorted();
}
