import type { Command } from 'commander';
import type { SearchRequest } from '@pagefault/kernel';
import { findProcess } from './shared/agent.js';
import { type Context, withMachine } from './shared/context.js';
import { withMachineOptions, withProcess } from './shared/options.js';
import { requestOf, type SearchOptions, showResults, withSearch } from './shared/search.js';

export function addRecall(program: Command, context: Context): void {
  const recall = program.command('recall').description('look into the messages of a process');
  addSearch(recall, context, 'messages').description('search the messages by words and meaning');
}

/** `search` over one collection. */
export function addSearch(
  parent: Command,
  context: Context,
  collection: SearchRequest['collection'],
): Command {
  const search = async (words: readonly string[], options: SearchOptions) => {
    const results = await withMachine(context, options, async ({ kernel }) => {
      const process = await findProcess(kernel, options.process);
      return process.search(requestOf(collection, words.join(' '), options));
    });
    showResults(context.io, results, options);
  };
  return withSearch(withMachineOptions(withProcess(parent.command('search'))))
    .argument('<query...>', 'several words are one query')
    .action(search);
}
