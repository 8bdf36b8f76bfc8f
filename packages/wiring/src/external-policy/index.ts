export { isPolicyCommand, readCommand } from './command.js';
export { type ExternalPolicy, externalPolicy, type ExternalPolicyOptions } from './factory.js';
export { PROTOCOL } from './protocol.js';
