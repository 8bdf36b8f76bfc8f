import type { LogEntry, Part } from '@pagefault/contracts';
import { entry, text } from './instance.js';

/** Texts that stores are known to damage. All are well-formed and free of NUL, as the kernel guarantees. */
export const TEXTS: Readonly<Record<string, string>> = {
  'an emoji of several code points': 'ok 👩‍👩‍👧‍👦 🏳️‍🌈 𝒳',
  'the six characters of an escaped NUL': 'a\\u0000b',
  'a byte order mark': '\uFEFFfirst\uFEFF',
  'right to left': 'שלום \u202Eعالم\u202C',
  'both Unicode forms of one letter': 'é e\u0301',
  'line ends of every kind': 'a\r\nb\rc\n\u2028\u2029\t ',
  'control characters': '\u0001\u001F\u007F\u0085',
  'quotes and wild cards': `'"\`%_\\$1 :x ?; -- /* {{}}`,
  'JSON inside text': '{"a":[1,null]}',
  'Chinese and Korean': '设备清单 수급자의',
  'non-characters': '\uFFFE\uFFFF\u{10FFFF}',
};

/** Ids and keys that break out of careless statements, or that careless comparison takes for one another. */
export const HOSTILE_KEYS: readonly string[] = [
  "'; drop table messages; --",
  '%',
  '_',
  '%_%',
  '\\',
  '"',
  '""',
  '$1',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  '0',
  ' ',
  'a',
  'a ',
  'A',
  'é',
  'e\u0301',
  '😀',
  'line\nbreak',
];

/** Every kind of part, with every optional field. */
export const PARTS: readonly Part[] = [
  text('plain'),
  { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
  { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=', width: 3, height: 4 },
  { type: 'thinking', text: 'hm' },
  {
    type: 'thinking',
    text: '',
    opaque: {
      driver: 'd',
      model: 'm',
      data: { signature: 'c2ln+/=', items: [null, true, 1.5, 'x', { deep: [] }] },
    },
  },
  {
    type: 'call',
    callId: 'call_1',
    name: 'find',
    arguments: '{ "id": 2512292042121000001, "x": 1.0, "y": 1e3 }',
  },
  { type: 'result', callId: 'call_1', name: 'find', text: '(no output)' },
  {
    type: 'result',
    callId: 'call_2',
    name: 'page_in',
    text: 'again',
    isError: true,
    recalled: [{ handle: 'm12', from: 0, to: 5 }],
  },
];

/** One entry for each part, one with all of them, and one with every optional field of a message. */
export function partEntries(): LogEntry[] {
  const contents = [...PARTS.map((part) => [part]), PARTS];
  return [
    ...contents.map((parts, i) => entry(i + 1, { role: 'assistant', parts })),
    entry(contents.length + 1, {
      role: 'tool',
      name: 'Ada',
      session: 'session 1',
      notice: 'pressure',
      at: 0,
    }),
  ];
}
