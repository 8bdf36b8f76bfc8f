export type { TranscriptMessage } from './message.js';
export { countMessages, FORMATS, readTranscript } from './read.js';
