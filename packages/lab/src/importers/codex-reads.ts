/**
 * What a call of Codex is a reading of. It reads files by the shell: a command that shows one file, whatever part of it, is a
 * reading of that file; any other is one of what it says, in the folder where it runs. How long it may take and how much of
 * its output is shown is no part of it.
 */
import { posix } from 'node:path';
import type { CodexItem } from './codex-lines.js';
import { isRecord } from './source.js';
import { stableJson } from './stable-json.js';

const SHELLS: ReadonlySet<string> = new Set(['shell', 'shell_command', 'exec_command', 'container.exec']);
/** Asked once more, a running program says what it has said since. */
const GO_ON: ReadonlySet<string> = new Set(['write_stdin', 'wait', 'update_plan']);

/** Undefined for a call that reads nothing twice. */
export function readBy(item: CodexItem, folder: string): string | undefined {
  const name = item.name ?? item.type;
  if (GO_ON.has(name)) return undefined;
  if (item.type === 'local_shell_call') return shellRead(item.action, folder);
  const given = item.arguments ?? item.input ?? item.action;
  const named = typeof given === 'string' ? parsed(given) : given;
  if (SHELLS.has(name)) return shellRead(named, folder);
  const path = isRecord(named) ? (named['file_path'] ?? named['path']) : undefined;
  if (/^(?:read_file|view_image)$/.test(name) && typeof path === 'string') return fileKey(folder, path);
  return `${name} ${stableJson(named)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shellRead(given: unknown, folder: string): string {
  if (!isRecord(given)) return `shell ${stableJson(given)}`;
  const { workdir, working_directory: older } = given;
  const where = [workdir, older].find((one): one is string => typeof one === 'string' && one !== '');
  const at = posix.resolve('/', folder, where ?? '');
  const script = scriptOf(given['cmd'] ?? given['command']);
  const path = shownFile(script);
  return path === undefined ? `shell ${script} in ${at}` : fileKey(at, path);
}

/** `["bash", "-lc", "ls"]` runs `ls`. */
function scriptOf(command: unknown): string {
  if (!Array.isArray(command)) return typeof command === 'string' ? command.trim() : stableJson(command);
  const isWrapped = command.length === 3 && /^-l?c$/.test(String(command[1]));
  return isWrapped ? String(command[2]).trim() : command.map(String).join(' ');
}

const fileKey = (folder: string, path: string) => `file ${posix.resolve('/', folder, path)}`;

const SHOWS = /^(?:cat|nl|head|tail|sed -n)\b/;

/** The one file that a command shows, and nothing else. */
function shownFile(script: string): string | undefined {
  if (/[;&<>`$\n]/.test(script)) return undefined;
  const [first = '', ...rest] = script.split('|').map((part) => part.trim());
  if (!SHOWS.test(first) || !rest.every((part) => SHOWS.test(part))) return undefined;
  const paths = argumentsOf(first);
  return paths.length === 1 && rest.every((part) => argumentsOf(part).length === 0) ? paths[0] : undefined;
}

/** Words that are neither options nor what an option or `sed` wants. */
function argumentsOf(command: string): string[] {
  const [program, ...words] = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const plain = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  const given = plain.filter((word, at) => !word.startsWith('-') && !/^-[nc]$/.test(plain[at - 1] ?? ''));
  return program === 'sed' ? plain.filter((word) => !word.startsWith('-')).slice(1) : given;
}
