// Starting other programs: with their output shown, or kept until it is known to matter.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const env = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  npm_config_update_notifier: 'false',
  // `npm --silent` would otherwise hide why a download failed.
  npm_config_loglevel: 'error',
};

/** Command and arguments that run the pinned pnpm, which npx fetches once. */
export function pnpm(args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [npx, ...before] = npxCommand();
  return [npx, [...before, '--yes', packageManager.split('+')[0], ...args]];
}

// Beside the npm that started us, so that no shell is needed to find it (on Windows `npx` is a script).
function npxCommand() {
  const beside = process.env.npm_execpath && join(dirname(process.env.npm_execpath), 'npx-cli.js');
  return beside && existsSync(beside) ? [process.execPath, beside] : ['npx'];
}

/** The script file behind a tool's name. Only of tools in the root's dependencies. */
export function tool(name) {
  const folder = join(root, 'node_modules', name === 'tsc' ? 'typescript' : name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}

/** Runs a program without input and keeps what it prints. */
export function capture(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a program on this terminal. Its exit code, or the signal that ended it, becomes ours. */
export async function watchChild(command, args, extraEnv = {}) {
  const child = spawn(command, args, { cwd: root, env: { ...env, ...extraEnv }, stdio: 'inherit' });
  const stopPassing = passSignals(child);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signalCode(signal)));
  });
  stopPassing();
  process.exitCode = code;
  return code;
}

// A terminal sends Ctrl-C to the child as well; the others reach only us and are passed on.
function passSignals(child) {
  const stay = () => {};
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', stay).on('SIGTERM', pass).on('SIGHUP', pass);
  return () => process.off('SIGINT', stay).off('SIGTERM', pass).off('SIGHUP', pass);
}

// What a shell reports for a program that a signal ended: 128 + the signal's number.
function signalCode(signal) {
  return 128 + ({ SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 0);
}
