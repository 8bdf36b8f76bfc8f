/** From a configuration to a running kernel. */
export { type Config, type Environment, loadConfig, redacted } from './config/index.js';
export { REGISTRY } from './drivers.js';
export {
  type ControlChange,
  type Inspector,
  inspectorOf,
  type MachineStats,
  type NamedSpawn,
  type ProcessId,
  type ProcessRow,
} from './inspector.js';
export { diagnose, type DiagnoseOptions } from './doctor/diagnose.js';
export type { Finding } from './doctor/finding.js';
export { migrateStores, type MigrateOptions } from './migration.js';
export { type ExternalPolicy, externalPolicy, type ExternalPolicyOptions } from './external-policy/index.js';
export { type LoadedPolicy, loadPolicy } from './policy.js';
export type { Rebuilding } from './rebuild.js';
export { planRebuild } from './rebuild-plan.js';
export {
  inspect,
  type InspectOptions,
  type Overrides,
  type RunningMachine,
  start,
  type StartOptions,
} from './start.js';
