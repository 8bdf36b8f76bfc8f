/**
 * `memgpt`: the paper's function protocol. What the model writes beside its calls is its inner monologue; it
 * speaks by `send_message`, and asks for another cycle by `request_heartbeat` (arXiv 2310.08560, §2.4).
 */
import type { Json, ToolDefinition } from '@pagefault/contracts';
import { type Dialect, SPEECH } from './dialect.js';

/** The flag's name, added to the parameters of every function but `send_message`. */
export const HEARTBEAT_ARGUMENT = 'request_heartbeat';

const HEARTBEAT = {
  type: 'boolean',
  description:
    'true to be run again as soon as this call is done, to use its result or to call another function',
} as const;

export const memgpt: Dialect = {
  id: 'memgpt',
  tools: (definitions) =>
    definitions.map((definition) => (definition.name === SPEECH ? definition : withHeartbeat(definition))),
  wantsCycle: (call) => call.name !== SPEECH && heartbeatOf(call.arguments),
  speaksBesideCalls: false,
};

function withHeartbeat(definition: ToolDefinition): ToolDefinition {
  const { properties, required, ...rest } = definition.parameters;
  const parameters = {
    ...rest,
    properties: { ...asObject(properties), [HEARTBEAT_ARGUMENT]: HEARTBEAT },
    required: [...(Array.isArray(required) ? required : []), HEARTBEAT_ARGUMENT],
  };
  return { ...definition, parameters };
}

function asObject(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { [key: string]: Json })
    : {};
}

function heartbeatOf(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return (
      typeof value === 'object' &&
      value !== null &&
      HEARTBEAT_ARGUMENT in value &&
      value[HEARTBEAT_ARGUMENT] === true
    );
  } catch {
    return true; // Arguments that cannot be read become an error result, which the model must see.
  }
}
