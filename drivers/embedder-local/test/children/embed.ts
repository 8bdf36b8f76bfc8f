// Embeds one text on the runtime that is the default, and says the length of the vector.
import { createLocalEmbedder } from '../../src/index.js';

const embedder = createLocalEmbedder({ cacheDir: process.argv[2] ?? '' });
await embedder.open();
const [vector] = await embedder.embed(['hello']);
await embedder.close();
console.log(vector?.length);
