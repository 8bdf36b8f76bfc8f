/**
 * `native`: what models are trained on. Plain text is the answer; a call asks for another cycle by itself, to see its
 * result. There is no function to speak with and no flag; text beside calls is shown to the user too.
 */
import { type Dialect, SPEECH } from './dialect.js';

export const native: Dialect = {
  id: 'native',
  tools: (definitions) => definitions.filter(({ name }) => name !== SPEECH),
  // A history in `memgpt` may lead a model to speak by the function all the same: then it has answered.
  wantsCycle: ({ name }) => name !== SPEECH,
  speaksBesideCalls: true,
};
