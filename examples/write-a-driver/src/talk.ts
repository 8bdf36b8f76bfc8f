/** A conversation that goes on at the next start: `talk.ts FOLDER WORDS…` */
import { createReflexProcessor } from '@pagefault/driver-processor-scripted';
import { boot } from '@pagefault/kernel';
import { createFileRecall } from './driver.js';

const [folder = './memory', ...words] = process.argv.slice(2);
const kernel = await boot({ recall: createFileRecall({ folder }), processor: createReflexProcessor() });
const agent = (await kernel.find('ada')) ?? (await kernel.spawn({ name: 'ada' }));
console.log((await agent.send(words.join(' '))).text);
await kernel.close();
