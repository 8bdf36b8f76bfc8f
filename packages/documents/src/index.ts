export { type Chunk, type ChunkOptions, chunkText } from './chunk.js';
export { readDocument, type TextDocument } from './read.js';
