/**
 * English function words. They are indexed, so that "The Who" is found, but a query that has any
 * other word leaves them out: they would match everything and say nothing.
 * The list is short on purpose; what is rare enough to tell two messages apart is not in it.
 */
const WORDS = `
a about after again all also am an and any are as at be because been before being between both but by
can could did do does doing during each for from further had has have having he her here hers him his how
i if in into is it its itself just many me more most much my myself no nor not of off on once only or other our ours
out over own same she should so some such than that the their theirs them then there these they this those
through to too under until up very was we were what when where which while who whom why will with would
you your yours yourself
aren couldn didn doesn don hadn hasn haven isn shouldn wasn weren wouldn ll re ve
`;

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));

/** `word` is folded and not yet stemmed. Single Latin letters, left over from contractions, count as well. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || /^[a-z]$/.test(word);
}
