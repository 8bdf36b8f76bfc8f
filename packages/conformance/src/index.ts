export type { ArchivalCase, ArchivalInstance } from './archival/instance.js';
export { archivalCases } from './archival/suite.js';
export { type ConformanceCase, type RegisterTest, runCase, type Setup } from './case.js';
export type { ArchivalSetup } from './archival/trials.js';
export { conformArchival, conformEmbedder, conformProcessor, conformRecall } from './conform.js';
export type { EmbedderSetup } from './embedder/trials.js';
export { type Initializer, SUITE_KINDS, type SuiteKind, trialsFor } from './initializer.js';
export type { ProcessorSetup } from './processor/trials.js';
export type { RecallSetup } from './recall/trials.js';
export type { Trial } from './trial.js';
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
