export type { ArchivalCase, ArchivalInstance } from './archival/instance.js';
export { archivalCases } from './archival/suite.js';
export { type ConformanceCase, type RegisterTest, runCase, type Setup } from './case.js';
export { type ArchivalSetup, conformArchival } from './conform-archival.js';
export { conformEmbedder, type EmbedderSetup } from './conform-embedder.js';
export { conformProcessor, type ProcessorSetup } from './conform-processor.js';
export { conformRecall, type RecallSetup } from './conform-recall.js';
export type { EmbedderCase, EmbedderInstance } from './embedder/instance.js';
export { meaningCase } from './embedder/meaning.js';
export { embedderCases } from './embedder/suite.js';
export { type AnyHistory, anyHistory, type AnyRequest, anyRequest } from './processor/histories.js';
export type {
  ProcessorCase,
  ProcessorInstance,
  ServerCall,
  ServerFault,
  ServerReply,
} from './processor/instance.js';
export * from './processor/samples.js';
export { processorCases } from './processor/suite.js';
export type { RecallCase, RecallInstance } from './recall/instance.js';
export { modelCase, type ModelOptions } from './recall/model.js';
export { recallCases } from './recall/suite.js';
