// A vitest `globalSetup` for projects whose tests start programs of ours as processes of their own: those run what was
// built, as users do, and start in a fifth of the time that sources take. Every run builds what changed since the last one,
// so that nothing old is ever tested; where nothing changed this takes half a second.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root, tool } from './processes.mjs';
import { workspaceFolders } from './workspace.mjs';

/** @param {import('vitest/node').TestProject} project whose scripts in `test/children`, else whose sources are built */
export default async function setup(project) {
  const folder = project.config.root;
  const children = join(folder, 'test/children/tsconfig.json');
  const config = existsSync(children) ? children : join(folder, 'tsconfig.json');
  await build(config);
  project.onTestsRerun(() => build(config));
}

// Projects are set up side by side, and share what they build. Each has a copy of this module, hence the global name.
const LAST = Symbol.for('pagefault.built');

function build(config) {
  const before = globalThis[LAST] ?? Promise.resolve();
  const building = before.then(() => compile(config));
  globalThis[LAST] = Promise.allSettled([building]); // However it ends, which the caller is told.
  return building;
}

async function compile(config) {
  forgetLost();
  const { code, output } = await capture(process.execPath, [tool('tsc'), '-b', config]);
  if (code !== 0) throw new Error(`the build of ${config} failed:\n${output}`);
}

// The compiler believes its notes, also when what they tell of was deleted.
function forgetLost() {
  const folders = workspaceFolders().flatMap((folder) => [folder, join(folder, 'test/children')]);
  for (const folder of folders) {
    if (!existsSync(join(root, folder, 'dist'))) rmSync(join(root, folder, '.tsbuildinfo'), { force: true });
  }
}
