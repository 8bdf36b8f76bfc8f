export { isPolicyPath } from './choices.js';
export type {
  BlockConfig,
  Config,
  DriverChoice,
  DriverKind,
  Environment,
  Known,
  NamedKind,
  ProgramConfig,
  Registry,
} from './config.js';
export { loadConfig, type LoadOptions } from './load.js';
export { KEY_VARIABLES, PROVIDERS } from './providers.js';
export { redacted } from './redacted.js';
export { fileSchema } from './schema.js';
export { importDefault } from './source.js';
