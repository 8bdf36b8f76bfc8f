export { createMemoryArchival } from './archival.js';
export { createMemoryRecall } from './driver.js';
export {
  type MemoryArchivalOptions,
  memoryArchivalOptions,
  type MemoryRecallOptions,
  memoryRecallOptions,
} from './options.js';
