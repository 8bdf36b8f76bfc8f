import { rejects, same } from '../check.js';
import { document } from './document.js';
import { ADA, alone, type RecallCase } from './instance.js';
import { HOSTILE_KEYS, TEXTS } from './samples.js';

const LINE = alone(ADA);

export const textIndex: readonly RecallCase[] = [
  {
    name: 'postings: come by term in the order asked, then by ordinal, with their counts',
    async run({ driver }) {
      await driver.commit({
        pid: ADA,
        documents: [document(0, 1, [['alpaca', 2]]), document(1, 1, [['cork', 1]])],
      });
      await driver.commit({ pid: ADA, documents: [document(2, 2, [['cork', 3], ['alpaca', 1]])] }); // prettier-ignore
      const found = await driver.postings(LINE, 'messages', ['cork', 'absent', 'alpaca']);
      same(
        found.map(({ term, ordinal, count }) => [term, ordinal, count]),
        [
          ['cork', 1, 1],
          ['cork', 2, 3],
          ['alpaca', 0, 2],
          ['alpaca', 2, 1],
        ],
      );
      same(await driver.postings(LINE, 'messages', []), []);
    },
  },
  {
    name: 'documents: come by ordinal with exactly their fields, unknown ones left out',
    async run({ driver }) {
      const plain = { session: '', speaker: '', ref: 'a ref', at: 0 };
      const documents = [
        document(0, 1),
        document(1, 2, [], plain),
        document(2, 2, [['x', 1]], { speaker: '数', digest: "a 'digest'" }),
      ];
      await driver.commit({ pid: ADA, documents });
      same(
        await driver.documents(LINE, 'messages', [2, 9, 0, 1]),
        documents.map(({ indexed }) => indexed),
      );
    },
  },
  {
    name: 'documents: the two collections do not mix',
    async run({ driver }) {
      const passage = document(0, 1, [['alpaca', 5]], { collection: 'passages', ref: 'p1' });
      await driver.commit({ pid: ADA, documents: [document(0, 1), passage] });
      same(await driver.postings(LINE, 'messages', ['alpaca']), [{ term: 'alpaca', ordinal: 0, count: 1 }]);
      same(await driver.postings(LINE, 'passages', ['alpaca']), [{ term: 'alpaca', ordinal: 0, count: 5 }]);
      same(await driver.documents(LINE, 'passages', [0]), [passage.indexed]);
    },
  },
  {
    name: 'documents: an ordinal that is taken is E_CONFLICT',
    async run({ driver }) {
      await driver.commit({ pid: ADA, documents: [document(0, 1)] });
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, documents: [document(0, 2)] }));
      await rejects('E_CONFLICT', driver.commit({ pid: ADA, documents: [document(1, 2), document(1, 3)] }));
      same(await driver.documents(LINE, 'messages', [0, 1]), [document(0, 1).indexed]);
    },
  },
  {
    name: 'hostile: terms are literal, and each is a term of its own (D04, D05, D08)',
    async run({ driver }) {
      const words = ['alice::bob', "'abs", 'a & (b', '!', '100%', 'test_', ...Object.values(TEXTS)];
      const terms = [...new Set([...HOSTILE_KEYS, ...words, 'k'.repeat(128), `${'k'.repeat(127)}_`])];
      const counted = terms.map((term, i) => [term, i + 1] as const);
      await driver.commit({ pid: ADA, documents: [document(0, 1, counted)] });
      same(
        await driver.postings(LINE, 'messages', terms),
        counted.map(([term, count]) => ({ term, ordinal: 0, count })),
      );
    },
  },
  {
    name: 'batch: thousands of documents go into one commit (B29)',
    async run({ driver }) {
      const documents = Array.from({ length: 7000 }, (_, i) => document(i, 1, [['cork', 1], [`t${i}`, 1]])); // prettier-ignore
      await driver.commit({ pid: ADA, documents });
      const ordinals = documents.map(({ ordinal }) => ordinal);
      same(
        (await driver.postings(LINE, 'messages', ['cork'])).map(({ ordinal }) => ordinal),
        ordinals,
      );
      same((await driver.documents(LINE, 'messages', ordinals)).length, 7000);
    },
  },
];
