// Line ends and tabs stay; the rest could move the cursor, change colours or more.
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** A text that somebody else wrote, without what a terminal would take for commands. */
export function printable(text: string): string {
  return text.replace(CONTROLS, '');
}
