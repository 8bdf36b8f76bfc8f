/** Which processor drives a process, and what follows from that. */
import type { ProcessorDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { MachineConfig } from '../../core/config.js';
import { programIn } from '../../program.js';
import type { Environment } from '../environment.js';
import type { ProcessRecord } from '../storage.js';
import type { Driven } from './processor-choice.js';

/** Errors: `E_CONFIG` for a process that chose a processor which this stack does not have. */
export function drive(environment: Environment, record: ProcessRecord, chosen: string | undefined): Driven {
  const { processors, summariserOf } = environment.services;
  const processor = processors.find(chosen);
  if (!processor) throw notThere(record, chosen, processors.names);
  return {
    config: configOf(environment, record, chosen ?? processors.standard, processor),
    processor,
    summariser: summariserOf(processor),
  };
}

/** For a look: as the stack's own processor sees a process whose processor is not there. */
export function configToShow(
  environment: Environment,
  record: ProcessRecord,
  chosen: string | undefined,
): MachineConfig {
  const { processors } = environment.services;
  const processor = processors.find(chosen) ?? processors.get();
  return configOf(environment, record, chosen ?? processors.standard, processor);
}

function configOf(
  environment: Environment,
  record: ProcessRecord,
  name: string,
  processor: ProcessorDriver,
): MachineConfig {
  const { services, limits, layout, dialect, policy, window, indexer } = environment;
  const { model, window: own, maxOutput } = processor.supports;
  return {
    pid: record.pid,
    limits,
    instructions: programIn(dialect.id, record.instructions),
    ...(record.zone !== undefined && { zone: record.zone }),
    tools: dialect.tools(services.executor.definitions()),
    processor: { name, driver: processor.name, model, window: Math.min(own, window ?? own), maxOutput },
    layout: layout.id,
    dialect: dialect.id,
    policy: policy().id,
    vectors: indexer !== undefined,
  };
}

function notThere(
  { name }: ProcessRecord,
  chosen: string | undefined,
  known: readonly string[],
): PagefaultError {
  return new PagefaultError(
    'E_CONFIG',
    `process "${name}" runs on the processor "${chosen ?? ''}", and this stack has none of that name`,
    {
      hint: `processors: ${known.join(', ')}; name it in \`processors\`, or choose another by useProcessor()`,
    },
  );
}
