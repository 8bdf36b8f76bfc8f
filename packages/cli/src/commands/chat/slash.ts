export type SlashCommand = 'memory' | 'stats' | 'help' | 'quit';

const KNOWN: Readonly<Record<string, SlashCommand>> = {
  '/memory': 'memory',
  '/stats': 'stats',
  '/help': 'help',
  '/quit': 'quit',
  '/exit': 'quit',
};

/** The command that a line is; `unknown` for a single word that looks like one. Anything else is a message. */
export function slashCommand(line: string): SlashCommand | 'unknown' | undefined {
  const word = line.trim();
  if (Object.hasOwn(KNOWN, word)) return KNOWN[word];
  return /^\/[a-z]+$/.test(word) ? 'unknown' : undefined;
}

export const SLASH_HELP = `/memory  what the agent has in view of you: blocks, summary, facts
/stats   how full its memory is, and what it did so far
/help    this
/quit    leave; Ctrl-D does too

Ctrl-C stops an answer. What you type during an answer waits for its end.`;
