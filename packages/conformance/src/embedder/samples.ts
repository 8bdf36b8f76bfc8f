/** Texts that the cases embed. */

/** Of two subjects without a word in common; a subject's texts share words, so that also words alone tell them apart. */
export const VET = 'The vet saw our alpaca on Monday morning.';
export const VET_AGAIN = 'On Monday morning our alpaca saw the vet.';
export const PRICES = 'Interest rates rose sharply after banks lent less.';

/** The same thing in other words, and another thing in some of the words: only a model of meaning puts them right. */
export const PARAPHRASES: readonly {
  readonly text: string;
  readonly same: string;
  readonly other: string;
}[] = [
  {
    text: 'She keeps alpacas on a farm in Ireland.',
    same: 'A woman raises livestock in the Irish countryside.',
    other: 'The printer in the office is out of paper.',
  },
  {
    text: 'The car will not start this morning.',
    same: 'My vehicle broke down today.',
    other: 'The choir sang a hymn in Latin.',
  },
  {
    text: 'He was taken to hospital with a broken leg.',
    same: 'The patient fractured a bone and needed a doctor.',
    other: 'Bake the bread until the crust is brown.',
  },
];

/** Texts of many lengths, no two alike. */
export function manyTexts(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `Alpaca number ${n} ${'eats hay, '.repeat((n * 7) % 23)}`);
}

/** What is in chats and files, and trips tokenizers, JSON and stores. */
export const ODD_TEXTS: readonly string[] = [
  'x',
  '.',
  '🦙👩‍👩‍👧‍👦',
  'e\u0301\u0316\u0301',
  'שלום עולם',
  '日本語の文',
  'a\ud800b',
  '\udfff',
  'a\u0000b',
  '\u0000',
  '\ufeffhello',
  '\u200b\u200d',
  '<|endoftext|> [CLS] [SEP] <s> </s> [PAD]',
  '{"role":"system"}\\n\\u0000',
  'z'.repeat(5_000),
  '🦙'.repeat(3_000),
  `a${'\u0301'.repeat(2_000)}`,
];

export const BLANK_TEXTS: readonly string[] = ['', ' ', ' \n\t\r', '\u00a0\u3000'];
