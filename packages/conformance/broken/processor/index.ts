/** Processors that break one rule each, as real ones do. */
import { PagefaultError, type ProcessorDriver } from '@pagefault/contracts';
import type { Broken } from '../broken.js';
import { changing, replying } from './events.js';

const finishesTwice: Broken<ProcessorDriver> = {
  rule: 'a stream ends with exactly one finish',
  because: 'the end of the text and the end of the stream are both taken for the end',
  wrap: (good) => changing(good, (event) => (event.type === 'finish' ? [event, event] : [event])),
  mustFail: ['stream: deltas of text add up to the reply, and one finish ends it'],
};

const losesADelta: Broken<ProcessorDriver> = {
  rule: 'deltas add up to the reply',
  because: 'the last piece comes together with the end, and only the end is seen',
  wrap: (good) =>
    changing(good, (event) => (event.type === 'text' && event.delta.endsWith('again.') ? [] : [event])),
  mustFail: ['stream: deltas of text add up to the reply, and one finish ends it'],
};

const takesIdsOfTheServer: Broken<ProcessorDriver> = {
  rule: 'ids of calls are unique',
  because: 'the id that the server gave is kept, and servers begin at call_0 in every turn',
  wrap: (good) =>
    replying(good, (reply) => ({
      ...reply,
      parts: reply.parts.map((part) => (part.type === 'call' ? { ...part, callId: 'call_0' } : part)),
    })),
  mustFail: ['stream: ids of calls are unique although the server repeats its own, or gives none (A18 A19)'],
};

const parsesArguments: Broken<ProcessorDriver> = {
  rule: 'arguments are kept as the model wrote them',
  because: 'they are parsed, and written again',
  wrap: (good) =>
    replying(good, (reply) => ({
      ...reply,
      parts: reply.parts.map((part) =>
        part.type === 'call' ? { ...part, arguments: JSON.stringify(JSON.parse(part.arguments)) } : part,
      ),
    })),
  mustFail: ['stream: no number in arguments loses a digit (A28)'],
};

const runsCutCalls: Broken<ProcessorDriver> = {
  rule: 'a call that was cut is not called',
  because: 'broken JSON is repaired, and what is missing is not missed',
  wrap: (good) =>
    replying(good, ({ brokenCalls = [], ...reply }) => ({
      ...reply,
      parts: [...reply.parts, ...brokenCalls.map(({ call }) => call)],
    })),
  mustFail: [
    'outcome: a call that the output limit cut is broken and not called (A22)',
    'outcome: a call whose arguments are no object is broken although the server says that all is well (A23)',
  ],
};

const hidesRefusals: Broken<ProcessorDriver> = {
  rule: 'what was declined is told apart from what was said',
  because: 'a reason that is not known is taken for the usual one',
  wrap: (good) =>
    replying(good, (reply) => ({ ...reply, reason: reply.reason === 'refused' ? 'stop' : reply.reason })),
  mustFail: [
    'outcome: an answer that the model declined is refused, once (A30)',
    'outcome: a prompt that a filter declines is refused, once (A30)',
  ],
};

const countsCacheTwice: Broken<ProcessorDriver> = {
  rule: 'input is told once',
  because: 'one provider tells cached input within the input, another beside it',
  wrap: (good) =>
    replying(good, ({ usage, ...reply }) => ({
      ...reply,
      usage: { ...usage, plain: usage.plain + usage.cached + usage.written },
    })),
  mustFail: ['usage: input is told once, wherever the provider had it from (A36)'],
};

const addsUpUsage: Broken<ProcessorDriver> = {
  rule: 'usage is told for one request, not added up',
  because: 'an event is taken for what came on top of the last one',
  wrap: (good) =>
    changing(good, (event) => {
      if (event.type !== 'usage') return [event];
      return [{ ...event, usage: { ...event.usage, output: event.usage.output * 2 + 1 } }];
    }),
  mustFail: [
    'usage: what is told before the reply stands is told for its own request, and is the same in the end',
  ],
};

const countsTextOnly: Broken<ProcessorDriver> = {
  rule: 'everything that is sent is counted',
  because: 'tools and system text are not part of the conversation',
  wrap: (good) => ({
    ...good,
    async count(pieces, signal) {
      const counts = await good.count(pieces, signal);
      return counts.map((count, at) => (pieces[at]?.kind === 'message' ? Math.ceil(count / 2) : 0));
    },
  }),
  mustFail: ['count: the pieces together are at least what the server counts (A34)'],
};

const throwsOnSpecialTokens: Broken<ProcessorDriver> = {
  rule: 'no text makes the count throw',
  because: 'tokenizers refuse text that looks like their own marks',
  wrap: (good) => ({
    ...good,
    async count(pieces, signal) {
      if (pieces.some((piece) => piece.kind === 'system' && piece.text.includes('<|endoftext|>')))
        throw new Error('disallowed special token');
      return good.count(pieces, signal);
    },
  }),
  mustFail: ['count: no text makes it throw, not even the tokenizer’s own words or half a character (A31)'],
};

const endsOnError: Broken<ProcessorDriver> = {
  rule: 'half an answer is never a reply',
  because: 'an error in the stream is logged, and what came is taken for all',
  wrap: (good) => ({
    ...good,
    async *infer(request, signal) {
      let text = '';
      try {
        for await (const event of good.infer(request, signal)) {
          if (event.type === 'text') text += event.delta;
          yield event;
        }
      } catch (error) {
        if (text === '' || !PagefaultError.is(error) || error.code === 'E_ABORTED') throw error;
        if (error.code === 'E_TIMEOUT' || (error.code === 'E_PROTOCOL' && !error.retryable)) throw error;
        const usage = { plain: 0, cached: 0, written: 0, output: 0 };
        yield { type: 'finish', reply: { parts: [{ type: 'text', text }], reason: 'stop', usage } };
      }
    },
  }),
  mustFail: ['failure: after some text it is thrown, and the half answer is never a reply (C14)'],
};

const triesForEver: Broken<ProcessorDriver> = {
  rule: 'a request that always fails is not tried again',
  because: 'there is a layer of retries above the one of the driver, and it asks nothing',
  wrap: (good) => ({
    ...good,
    async *infer(request, signal) {
      for (let left = 2; ; left -= 1) {
        let shown = false;
        try {
          for await (const event of good.infer(request, signal)) {
            shown = true;
            yield event;
          }
          return;
        } catch (error) {
          const isOurs = PagefaultError.is(error) && ['E_ABORTED', 'E_NOT_OPEN'].includes(error.code);
          if (shown || isOurs || left === 1) throw error;
        }
      }
    },
  }),
  mustFail: [
    'failure: what would come again has its code and is not tried again (C18)',
    'failure: what does not pass has its code after as many tries as there are, and no more (C16)',
    'failure: silence ends after the idle time, whenever it begins (C16)',
  ],
};

const ignoresAbort: Broken<ProcessorDriver> = {
  rule: 'an abort ends the cycle',
  because: 'the signal is not handed on',
  wrap: (good) => ({ ...good, infer: (request) => good.infer(request) }),
  mustFail: [
    'abort: beforehand nothing is sent (C20)',
    'abort: at every event it ends the cycle, leaves no listener, and the next cycle works (C19 C20)',
  ],
};

const leavesListeners: Broken<ProcessorDriver> = {
  rule: 'no listener is left on a signal',
  because: 'each cycle listens, and none stops listening',
  wrap: (good) => ({
    ...good,
    infer(request, signal) {
      signal?.addEventListener('abort', () => undefined);
      return good.infer(request, signal);
    },
  }),
  mustFail: [
    'abort: at every event it ends the cycle, leaves no listener, and the next cycle works (C19 C20)',
    'abort: one signal serves many cycles, also with tries, and no listener is left (C19)',
    'abort: a reader that stops reading ends the request and leaves no listener (C19)',
  ],
};

const tellsTheKey: Broken<ProcessorDriver> = {
  rule: 'no error shows the key',
  because: "the provider's error is handed on as its cause",
  wrap: (good) => ({
    ...good,
    async *infer(request, signal) {
      try {
        yield* good.infer(request, signal);
      } catch (error) {
        if (!PagefaultError.is(error) || error.code !== 'E_AUTH') throw error;
        throw Object.assign(new PagefaultError(error.code, error.message, { retryable: false }), {
          request: { headers: { authorization: 'sk-ant-conformance-abcd1234 sk-conformance-abcd1234efgh' } },
        });
      }
    },
  }),
  mustFail: ['failure: no error shows the key, not even printed whole (E12)'],
};

export const brokenProcessors: readonly Broken<ProcessorDriver>[] = [
  finishesTwice,
  losesADelta,
  takesIdsOfTheServer,
  parsesArguments,
  runsCutCalls,
  hidesRefusals,
  countsCacheTwice,
  addsUpUsage,
  countsTextOnly,
  throwsOnSpecialTokens,
  endsOnError,
  triesForEver,
  ignoresAbort,
  leavesListeners,
  tellsTheKey,
];
