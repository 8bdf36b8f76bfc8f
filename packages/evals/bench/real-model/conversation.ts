/**
 * Ten turns that any small model can follow: facts first, then talk that pushes them out of a small window, then questions
 * about them. The same words every time, so that two models, dialects or windows can be compared.
 */

export interface Line {
  readonly text: string;
  /** A question: what a right answer holds, and which lines (from 0) told it. */
  readonly asks?: { readonly expected: readonly RegExp[]; readonly toldIn: readonly number[] };
}

export const CONVERSATION: readonly Line[] = [
  { text: 'Hello! My name is Ada Byrne and I breed alpacas in Cork.' },
  { text: 'My favourite alpaca is called Biscuit. She was born on 3 May 2021.' },
  { text: 'Please remember this: the code of the barn door is 4417.' },
  diary(
    'Monday',
    'It rained from morning until night, so the herd stayed inside and I mended the long fence behind the orchard with new wire and old posts.',
    'The vet came in the afternoon, looked at teeth and feet, and found nothing to worry about, which made the whole evening lighter.',
  ),
  diary(
    'Tuesday',
    'A neighbour brought apples that were too soft to sell, and the animals ate them faster than I could cut them into pieces.',
    'Later we talked for an hour about hay, which is dear this year, and about whether the bridge at the mill will be closed again.',
  ),
  diary(
    'Wednesday',
    'I washed and sorted fleece all day: the fine part goes to the spinner, the coarse part becomes felt, and the rest lies under the roses.',
    'My hands were soft from the wool grease in the evening, and the kitchen smelled of wet animals and strong tea.',
  ),
  diary(
    'Thursday',
    'The market was small, but I sold four scarves and a blanket, and a teacher asked whether her class may visit the farm in spring.',
    'On the way home the van made a noise that I had not heard before, so I drove slowly and listened instead of singing.',
  ),
  { text: 'What is the code of the barn door?', asks: { expected: [/4417/], toldIn: [2] } },
  {
    text: 'What is my favourite alpaca called, and when was she born?',
    asks: { expected: [/biscuit/i, /\b3(rd)?\b.{0,4}may|may.{0,6}\b3\b|2021-05-03/i], toldIn: [1] },
  },
  {
    text: 'What is my name, and where do I breed alpacas?',
    asks: { expected: [/\bada\b/i, /\bcork\b/i], toldIn: [0] },
  },
];

/** About 250 tokens without a name or a number, so that nothing in it competes with the facts. */
function diary(day: string, morning: string, evening: string): Line {
  return {
    text:
      `Here is a page of my diary. ${day}: ${morning} ${evening} Before I slept I read a little, put out the light, ` +
      'and heard the wind go through the trees and over the roof like water over stones. I thought of the people who had ' +
      'lived in this house before me, of the animals that they kept and the weather that they feared, and of how little ' +
      'of it anybody ever wrote down; perhaps that is why I write so much, though most of it is about rain, wool and tea, ' +
      'and will hardly ever be read by anyone who does not already know the smell of a stable in winter. Then I slept ' +
      'well and long. What do you think of that day? Answer in one short sentence.',
  };
}
