import type { Part, RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

function rounded(part: Part): Part {
  if (part.type !== 'call') return part;
  return { ...part, arguments: JSON.stringify(JSON.parse(part.arguments)) };
}

export const roundsArguments: Broken<RecallDriver> = {
  rule: 'the arguments of a call come back as the model wrote them',
  because: 'arguments are parsed to be stored as JSON, so large integers lose digits',
  wrap: (good) => ({
    ...good,
    async commit({ appends = [], ...commit }, signal) {
      const parsed = appends.map(({ message, ...entry }) => ({
        ...entry,
        message: { ...message, parts: message.parts.map(rounded) },
      }));
      await good.commit({ ...commit, appends: parsed }, signal);
    },
  }),
  mustFail: ['round trip: every kind of message part comes back exactly (A28, B38)'],
};
