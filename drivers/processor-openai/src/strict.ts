import type { Json } from '@pagefault/contracts';

type Schema = { readonly [key: string]: Json };

/**
 * Whether a schema is one that strict decoding takes as it is: every object lists all its properties as required and allows
 * no others. A schema is never changed to become one: what the model may leave out would come as null.
 */
export function isStrict(schema: Json): boolean {
  if (!isSchema(schema)) return true;
  return isClosed(schema) && partsOf(schema).every(isStrict);
}

function isClosed(schema: Schema): boolean {
  if (schema['type'] !== 'object' && schema['properties'] === undefined) return true;
  const properties = isSchema(schema['properties']) ? Object.keys(schema['properties']) : [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return schema['additionalProperties'] === false && properties.every((name) => required.includes(name));
}

/** The schemas inside: of properties, of items, of alternatives, and those that are referred to. */
function partsOf(schema: Schema): readonly Json[] {
  const { properties, items, anyOf, $defs } = schema;
  return [
    ...(isSchema(properties) ? Object.values(properties) : []),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(isSchema($defs) ? Object.values($defs) : []),
  ];
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
