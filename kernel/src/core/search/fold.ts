/** Letters that Unicode does not decompose although readers take them for the plain ones. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};

const NON_ASCII = /[^\0-\x7f]/;

/**
 * One form for all spellings of a text: compatibility forms, case and accents are gone, so that a word
 * is found however its author's keyboard composed it. Marks outside Latin, Greek and Cyrillic
 * usage (vowel signs, voicing marks) stay: there they tell words apart.
 */
export function fold(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøđðłıþς]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC');
}

/** The longest prefix of at most `limit` bytes of UTF-8 that splits no code point. */
export function cutBytes(text: string, limit: number): string {
  // A code unit is at most three bytes, a pair of them four.
  if (text.length * 3 <= limit) return text;
  let bytes = 0;
  let end = 0;
  for (const char of text) {
    bytes += utf8Bytes(char.codePointAt(0) ?? 0);
    if (bytes > limit) return text.slice(0, end);
    end += char.length;
  }
  return text;
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
