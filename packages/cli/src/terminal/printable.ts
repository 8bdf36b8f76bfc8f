// Line ends and tabs stay. The rest could move the cursor or change colours; embeddings, overrides and isolates could make
// a line read in another order than it has.
const COMMANDS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;
const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[[0-9;]*m)|${COMMANDS.source}`, 'gu');

/** A text that somebody else wrote, without what a terminal would take for commands. */
export function printable(text: string): string {
  return text.replace(COMMANDS, '');
}

/** The same of a text that may have been given colours here: these stay. */
export function printableInColour(text: string): string {
  return text.replace(COLOUR, '$1');
}
