import { holds } from '../check.js';
import type { EmbedderCase } from './instance.js';
import { PARAPHRASES } from './samples.js';
import { similarity, vectorOf } from './vectors.js';

/** Not among the others: doubles of services know words alone. */
export const meaningCase: EmbedderCase = {
  name: 'nearness: the same thing in other words is nearer than another thing',
  async run({ driver }) {
    for (const { text, same, other } of PARAPHRASES) {
      const asked = await vectorOf(driver, text);
      const near = similarity(asked, await vectorOf(driver, same));
      const far = similarity(asked, await vectorOf(driver, other));
      holds(near > far, `${near} for "${same}", ${far} for "${other}"`);
    }
  },
};
