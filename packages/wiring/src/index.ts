/** From a configuration to a running kernel. */
export { type Config, type Environment, loadConfig, redacted } from './config/index.js';
export { REGISTRY } from './drivers.js';
export type { Inspector, MachineStats, ProcessRow } from './inspect.js';
export { loadPolicy } from './policy.js';
export { inspect, type Overrides, type RunningMachine, start, type StartOptions } from './start.js';
