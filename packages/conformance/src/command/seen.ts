/** What the command itself saw of a driver. Where in the command is of no interest, so its stack is not shown. */
export class Seen extends Error {}
