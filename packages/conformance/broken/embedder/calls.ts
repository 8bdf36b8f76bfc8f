/** Embedders that mishandle a call. */
import { type EmbedderDriver, hasCode, PagefaultError } from '@pagefault/contracts';
import type { Broken } from '../broken.js';
import { embedding, isBlank } from './wrap.js';

const skipsBlankTexts: Broken<EmbedderDriver> = {
  rule: 'a text without a visible character is refused',
  because: 'blank texts are filtered out, and the vectors slip to other texts',
  wrap: (good) =>
    embedding(good, (texts, ...rest) =>
      good.embed(
        texts.filter((text) => !isBlank(text)),
        ...rest,
      ),
    ),
  mustFail: [
    'texts: one without a visible character is E_INVALID, wherever it stands (B32)',
    'texts: a call that was refused leaves the next one whole',
  ],
};

const throwsItsOwnErrors: Broken<EmbedderDriver> = {
  rule: 'errors have codes',
  because: 'what the tokenizer throws is handed on',
  wrap: (good) =>
    embedding(good, (texts, ...rest) =>
      texts.some(isBlank)
        ? Promise.reject(new TypeError('text cannot be empty'))
        : good.embed(texts, ...rest),
    ),
  mustFail: [
    'texts: one without a visible character is E_INVALID, wherever it stands (B32)',
    'texts: a call that was refused leaves the next one whole',
  ],
};

const refusesHalfCharacters: Broken<EmbedderDriver> = {
  rule: 'no sign makes a call fail',
  because: 'half a surrogate pair is no UTF-8, and the library checks',
  wrap: (good) =>
    embedding(good, (texts, ...rest) =>
      texts.every((text) => text.isWellFormed())
        ? good.embed(texts, ...rest)
        : Promise.reject(new PagefaultError('E_REQUEST', 'the text is no UTF-8')),
    ),
  mustFail: [
    'texts: no sign makes it fail: marks, half characters, NUL, special tokens, runs without a space (A31)',
  ],
};

const readsTextsLate: Broken<EmbedderDriver> = {
  rule: 'texts are those of the moment of the call',
  because: 'the list is read after something was waited for',
  wrap: (good) =>
    embedding(good, async (texts, ...rest) => {
      await Promise.resolve();
      return good.embed(texts, ...rest);
    }),
  mustFail: ['texts: are those of the moment of the call, and left alone'],
};

const mixesCalls: Broken<EmbedderDriver> = {
  rule: 'each call gets its own vectors',
  because: 'the texts under way are kept in one field of the driver',
  wrap(good) {
    let pending: readonly string[] = [];
    return embedding(good, async (texts, ...rest) => {
      if (texts.some(isBlank)) return good.embed(texts, ...rest);
      pending = [...texts];
      await Promise.resolve();
      return good.embed(pending, ...rest);
    });
  },
  mustFail: ['calls: many at a time each get what they asked for'],
};

const ignoresAbort: Broken<EmbedderDriver> = {
  rule: 'an abort ends the call',
  because: 'the signal is not handed on',
  wrap: (good) => embedding(good, (texts, _signal, purpose) => good.embed(texts, undefined, purpose)),
  mustFail: ['abort: a signal that has fired is E_ABORTED (C20)'],
};

const leavesListeners: Broken<EmbedderDriver> = {
  rule: 'no listener is left on a signal',
  because: 'each call listens, and none stops listening',
  wrap: (good) =>
    embedding(good, (texts, signal, ...rest) => {
      signal?.addEventListener('abort', () => undefined);
      return good.embed(texts, signal, ...rest);
    }),
  mustFail: [
    'abort: at any moment it is E_ABORTED or too late, leaves no listener, and the next call works (C19 C20)',
    'abort: one signal serves many calls, and no listener is left (C19)',
  ],
};

const opensItself: Broken<EmbedderDriver> = {
  rule: 'a closed driver refuses',
  because: 'the model is loaded by the first call, whenever that is',
  wrap: (good) =>
    embedding(good, async (...call) => {
      try {
        return await good.embed(...call);
      } catch (error) {
        if (!hasCode(error, 'E_NOT_OPEN')) throw error;
        await good.open();
        try {
          return await good.embed(...call);
        } finally {
          await good.close();
        }
      }
    }),
  mustFail: ['lifecycle: it refuses to embed after close, and holds nothing'],
};

const failsForGood: Broken<EmbedderDriver> = {
  rule: 'a call that was refused leaves the next one whole',
  because: 'calls wait for each other, and one that fails fails all behind it',
  wrap(good) {
    let last: Promise<unknown> = Promise.resolve();
    return embedding(good, (texts, ...rest) => {
      const given = [...texts];
      const mine = last.then(() => good.embed(given, ...rest));
      last = mine;
      return mine;
    });
  },
  mustFail: [
    'texts: a call that was refused leaves the next one whole',
    'abort: at any moment it is E_ABORTED or too late, leaves no listener, and the next call works (C19 C20)',
  ],
};

const takesAllForQuestions: Broken<EmbedderDriver> = {
  rule: 'a document is what is meant when nothing is said',
  because: "the model's prompt for questions is put before everything",
  wrap: (good) => embedding(good, (texts, signal, purpose = 'query') => good.embed(texts, signal, purpose)),
  mustFail: ['purpose: a document is what is meant when nothing is said, and a question has its vector, too'],
};

export const calls: readonly Broken<EmbedderDriver>[] = [
  skipsBlankTexts,
  throwsItsOwnErrors,
  refusesHalfCharacters,
  readsTextsLate,
  mixesCalls,
  ignoresAbort,
  leavesListeners,
  opensItself,
  failsForGood,
  takesAllForQuestions,
];
