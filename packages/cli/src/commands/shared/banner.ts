import { relative } from 'node:path';
import { formatNumber } from '../../terminal/index.js';
import type { Io } from './io.js';
import { dataDirOf, type Machine } from './machine.js';

/** What runs and where the memory is, in one line; then what else is good to know, a line each. */
export function bannerOf({ config, notes }: Machine, { cwd }: Pick<Io, 'cwd'>): string[] {
  const parts = [
    processorOf(config),
    `window: ${formatNumber(config.window)}`,
    `memory: ${memoryOf(config, cwd)}`,
  ];
  return [parts.join(' · '), ...notes.filter((note) => !note.startsWith('processor:'))];
}

function processorOf({ processor }: Machine['config']): string {
  if (processor.driver === 'reflex') {
    return 'processor: reflex (rules, no model is used; set OPENAI_API_KEY or ANTHROPIC_API_KEY to talk to one)';
  }
  const { model } = processor.options;
  return `processor: ${processor.driver}${typeof model === 'string' ? `, ${model}` : ''}`;
}

function memoryOf(config: Machine['config'], cwd: string): string {
  const folder = dataDirOf(config);
  if (folder !== undefined) return shortest(relative(cwd, folder), folder);
  const isKept = config.recall.driver === 'postgres';
  return isKept ? 'PostgreSQL' : 'of this program only; it is lost at the end';
}

function shortest(inside: string, absolute: string): string {
  return inside !== '' && inside.length < absolute.length && !inside.startsWith('..') ? inside : absolute;
}
