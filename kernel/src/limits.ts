/**
 * Every limit and default of the kernel on one screen. Shares are fractions of the budget
 * (window - output reserve - safety margin) unless said otherwise; tokens are the processor's.
 */
import { z } from 'zod';

const share = (value: number) => z.number().gt(0).lte(1).default(value);
const dollars = (help: string) =>
  z.number().gt(0).max(1_000_000_000).optional().describe(`US dollars: ${help}`);
const whole = (value: number, min: number, max: number) => z.number().int().min(min).max(max).default(value);

export const limitsSchema = z.strictObject({
  // The paging thresholds of MemGPT (arXiv 2310.08560, §2.2 "Queue manager"): warn, flush, and how far to evict.
  warningShare: share(0.7).describe('pressure at which the model is warned'),
  flushShare: share(1).describe('pressure at which pages are evicted'),
  targetShare: share(0.5).describe('pressure that a flush aims at'),
  // Once the provider's cache is cold a flush costs nothing that the next prompt would not cost; before the warning
  // there is little to gain.
  backgroundShare: share(0.7).describe('pressure above which an idle process is reclaimed to the target'),

  // A reply longer than a quarter of the window would evict what it answers.
  outputReserveShare: share(0.25).describe('share of the window kept free for the reply'),
  // Counts are upper bounds, but providers add a few tokens that no tokenizer shows.
  safetyMarginShare: z.number().min(0).lte(0.5).default(0.02).describe('share of the window never used'),

  // One item of a quarter of the budget leaves room for its question, its answer and the memory around it.
  oversizedShare: share(0.25).describe('a part above this becomes a stub when it arrives'),
  windowShare: share(0.25).describe('the most that one page_in or one page of search results may hold'),
  // Two exchanges keep "it", "that one" and "the second" resolvable after a flush.
  keepExchanges: whole(2, 0, 100).describe('exchanges kept at a flush; falls to 0 under pressure'),
  // Bounded, so that ten flushes cost no more than one (field report A51: 14 kB grew to 122 kB in five).
  summaryShare: share(0.1).describe('size of the recursive summary'),
  factsShare: share(0.05).describe('size of the verbatim facts carried beside it'),
  // With the summary (15 %) and one item of a quarter these are the warning's 70 %: the rest is left to talk.
  pinShare: share(0.3).describe('the most that all pinned pages together may take'),
  // Notes cost twice, here and in the blocks that they are about; a rendering costs one rewriting of the queue.
  blockNotesShare: share(0.1).describe('notes about edited blocks above this force a new rendering'),
  // Limits of blocks are in characters, and a character may take four tokens: without this a model could write its memory
  // so full that nothing could ever be sent again. A quarter holds one item of `windowShare`, with little else.
  fixedShare: share(0.75).describe(
    'the most that tools, instructions and blocks may take together after an edit by the model',
  ),
  stubCharacters: whole(600, 16, 10_000).describe(
    'characters of an item shown in its stub, start and end together',
  ),

  // Letta stops at 50 steps; a chain of look-ups needs one cycle a link.
  maxCycles: whole(50, 1, 10_000).describe('processor calls in one turn'),
  maxTurnTokens: whole(2_000_000, 1_000, 1_000_000_000).describe('input and output tokens of one turn'),
  // No default is right for everybody's purse. The reply that reaches a cap is still taken: what it costs is known after it.
  turnSpend: dollars('what one turn may cost; default: no cap'),
  processSpend: dollars('what one process may cost in all its life; default: no cap'),
  stackSpend: dollars('what all processes of the store may cost together; default: no cap'),
  maxTurnMs: whole(900_000, 1, 86_400_000).describe('milliseconds of one turn'),
  // The first repeat may be a retry, the second a habit, the third a loop (C24).
  repeatLimit: whole(3, 2, 100).describe('times the same call may give the same result in one turn'),
  truncationLimit: whole(2, 1, 100).describe('replies of one turn that may be cut by the output limit (A22)'),
  thrashLimit: whole(4, 1, 100).describe('consecutive cycles that may each need a reclaim'),
  // Beyond four times the count a reported figure is more likely wrong than the tokenizer.
  maxCalibration: z
    .number()
    .min(1)
    .max(10)
    .default(4)
    .describe('the most that reported usage may scale counts'),

  // MemGPT's own sizes: 2,000 characters a block, ten results a page (paper experiments).
  blockCharacters: whole(2_000, 1, 1_000_000).describe('default limit of a block'),
  // More names than that a model does not keep apart; all of them are in every request.
  blocks: whole(64, 1, 1_000).describe('blocks of one process'),
  // Fifty values of 2,000 characters are 100 kB a block, and further back than anybody wants to undo.
  blockVersions: whole(50, 1, 10_000).describe('values that the history of a block keeps, for undo'),
  searchPageSize: whole(10, 1, 100).describe('results of one search page'),
  passageCharacters: whole(20_000, 1, 1_000_000).describe('size of one archival passage'),
  // What a model can choose from by name; each is a row that is read whenever a document is asked for.
  documents: whole(100, 0, 10_000).describe('documents that may be mapped into one process'),
  // A book of a thousand pages has some three million characters; an archive of twenty is better searched than read.
  documentCharacters: whole(67_108_864, 1_000, 1_073_741_824).describe('size of one mapped document'),
  // 32 MiB of text is beyond any model's window and still fits one SQL parameter.
  messageCharacters: whole(33_554_432, 1_000, 268_435_456).describe('size of one message'),
  speakers: whole(64, 1, 1_000).describe('speakers a process remembers by name'),

  // A timer is a row and, whenever it is due, a turn: a hundred are more than anybody keeps track of.
  timersPerProcess: whole(100, 0, 10_000).describe('timers that one process may have at a time'),
  // Cron's own resolution. A timer that is due more often than turns take would have the process do nothing else.
  timerIntervalMs: whole(60_000, 1_000, 86_400_000).describe(
    'shortest time between two occurrences of a timer',
  ),
  // It comes into the queue whenever it is due: as long as a block of working context.
  timerCharacters: whole(2_000, 1, 100_000).describe('size of the text of one timer'),
  // An hour of a timer that is due each minute: clocks that are apart by that, or set back by it, find what they served.
  timerDeliveries: whole(60, 1, 10_000).describe('occurrences of a timer whose outcome is kept'),
  // Thousands may be due at once. Beyond some dozens a provider's rate limit is what they wait for.
  backgroundTurns: whole(64, 1, 10_000).describe('processes served at once that nobody waits for'),
  // Another kernel's timers and interrupts are seen by asking: one query a poll, and late by that at most.
  pollMs: whole(5_000, 100, 3_600_000).describe(
    'how often a store that others share is asked for what is due',
  ),

  // Long enough for a stalled disk, short enough that a crash is noticed within a minute.
  leaseMs: whole(30_000, 1_000, 3_600_000).describe('how long a kernel holds a process without renewing'),
  // A hung tool must not hold a turn for ever; two minutes is longer than any interactive tool should take.
  callTimeoutMs: whole(120_000, 10, 86_400_000).describe('how long one function call may run'),
  // The shortest life of a provider's prompt cache (Anthropic's, OpenAI's): from then on waking costs a cold prompt anyway.
  idleMs: whole(300_000, 10, 86_400_000).describe('how long a process is kept in memory without work'),
  // Long enough for any index that is well; one that is not goes on in the background, and the report says so.
  erasureWaitMs: whole(30_000, 10, 86_400_000).describe('how long an erasure waits for the archival index'),
  // Another kernel that read a text before it went embeds it, with all retries, within minutes; twice that is safe.
  erasureAgainMs: whole(600_000, 10, 86_400_000).describe(
    'when vectors are removed a second time, on a store that others share',
  ),
  // A process at work takes about as much as its window holds: a thousand of them fit a small machine.
  activeProcesses: whole(1_000, 1, 1_000_000).describe(
    'processes kept in memory at once; beyond it idle ones leave',
  ),
  // Each ancestor is one more scope that a search asks.
  lineageDepth: whole(32, 1, 1_000).describe('forks of forks'),
  // Large enough to amortise a round trip, small enough to be done between two messages.
  indexBatch: whole(64, 1, 1_000).describe('texts embedded in one batch'),
  // An embedder with all its retries takes a minute at most; a kernel that dies delays its batch by this.
  indexClaimMs: whole(120_000, 10, 86_400_000).describe(
    'how long a kernel keeps texts to itself that it embeds, on a store that others share',
  ),
  // Long enough for a connection to come back, short enough that nobody notices what was not found meanwhile.
  indexRetryMs: whole(1_000, 1, 86_400_000).describe('the wait after the first failure of embedder or index'),
  // Each further failure doubles the wait; an index that was down for an hour is full again five minutes later.
  indexRetryMaxMs: whole(300_000, 1, 86_400_000).describe('the longest wait after a failure'),
});

export type Limits = z.output<typeof limitsSchema>;

export const DEFAULT_LIMITS: Limits = Object.freeze(limitsSchema.parse({}));

/** How old the sum of what other kernels have spent may be: a cap on the stack is late by so much spending at most. */
export const SPEND = Object.freeze({ rereadMs: 60_000 });

/**
 * How long a fallback passes over a processor that failed. Overload and rate limits of providers last from seconds to
 * minutes; after a minute one request finds out, and costs a failed try at most.
 */
export const FALLBACK = Object.freeze({ passOverMs: 60_000 });

/**
 * What policies are told of a page's content (`PageView`). Not to be configured: replays must tell what was told.
 * The first two thousand characters say what a page is about, and keep a birth under a millisecond. Thirty-two stems are
 * those of a message of some sixty words, and 128 characters in a snapshot. A rating runs to ten (arXiv 2304.03442).
 */
export const VIEW = Object.freeze({ characters: 2_048, terms: 32, facts: 10, supersedes: 16 });

/**
 * Characters of a process's name, which is for people: `pagefault ps` shows 32 of them, a title or a path fits into 200.
 */
export const PROCESS_NAME = 200;

/**
 * When one text quotes another that is erased. Five words of a message stand in a row by chance in fewer than one text of
 * a thousand; of a text of more than four hundred words it takes eight. Shorter texts are quoted as a whole, from three
 * words on. A hundred thousand marks are those of some three thousand messages or of a book, and 2 MB in a row.
 */
export const ERASURE = Object.freeze({
  quotedRun: 5,
  longText: 400,
  longTextRun: 8,
  shortestQuote: 3,
  shortestIdentifier: 6,
  quoteMarks: 100_000,
});
