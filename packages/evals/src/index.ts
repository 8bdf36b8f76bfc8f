/** The paper's experiments and today's benchmarks, run through the real kernel. */
import { PagefaultError } from '@pagefault/contracts';
import { documentQa } from './document-qa.js';
import type { EvalOptions, EvalReport, Evaluation } from './eval.js';
import { locomoEvidence } from './locomo-evidence.js';
import { nestedKv } from './nested-kv.js';

export const EVALUATIONS: readonly Evaluation[] = [locomoEvidence, documentQa, nestedKv];

/** Errors: `E_INVALID` for an unknown name, listing the known ones; `E_NOT_FOUND` when the data is not there. */
export async function runEval(name: string, options: EvalOptions = {}): Promise<EvalReport> {
  const evaluation = EVALUATIONS.find((known) => known.name === name);
  if (evaluation) return evaluation.run(options);
  throw new PagefaultError('E_INVALID', `evaluation "${name}" is not known`, {
    hint: `known evaluations: ${EVALUATIONS.map((known) => known.name).join(', ')}`,
  });
}

export type { EvalOptions, EvalProgress, EvalReport, Evaluation } from './eval.js';
