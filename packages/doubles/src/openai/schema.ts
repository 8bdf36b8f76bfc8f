import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The published description of the API that requests and answers are held against. */
const SPEC = new URL('../../specs/openai-openapi.subset.json', import.meta.url);

export type SchemaName =
  | 'CreateChatCompletionRequest'
  | 'CreateChatCompletionResponse'
  | 'CreateChatCompletionStreamResponse'
  | 'CreateResponse'
  | 'Response'
  | 'TokenCountsBody'
  | 'ResponseStreamEvent'
  | 'CreateEmbeddingRequest'
  | 'CreateEmbeddingResponse'
  | 'ListModelsResponse';

export interface SpecSchemas {
  /** What is wrong with `value` by the published schema; empty when nothing is. */
  problems(name: SchemaName, value: unknown): string[];
  /** The properties that a schema knows, over all its `allOf`. */
  properties(name: SchemaName): ReadonlySet<string>;
}

type Tree = { [key: string]: unknown };

/** Reads the published description. Costs about a second; make one and keep it. */
export function loadSchemas(): SpecSchemas {
  const document = JSON.parse(readFileSync(SPEC, 'utf8')) as { components: { schemas: Tree } };
  const definitions = toStandard(document.components.schemas) as Tree;
  // The file itself is no valid schema of any one draft (`$recursiveAnchor: true`), so only values are checked.
  const ajv = new Ajv2020({ validateSchema: false, strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema({ $id: 'openai', $defs: definitions });
  const compiled = new Map<SchemaName, ValidateFunction>();
  const validator = (name: SchemaName): ValidateFunction => {
    const known = compiled.get(name) ?? ajv.compile({ $ref: `openai#/$defs/${name}` });
    compiled.set(name, known);
    return known;
  };
  return {
    problems: (name, value) => {
      const validate = validator(name);
      if (validate(value)) return [];
      return (validate.errors ?? []).map((error) =>
        `${error.instancePath || '/'} ${error.message ?? ''}`.trim(),
      );
    },
    properties: (name) => collectProperties(definitions, definitions[name]),
  };
}

/**
 * OpenAPI 3.0's `nullable` becomes `anyOf […, null]`, and references point at `$defs`. Where a discriminator tells
 * alternatives apart, more than one may match by shape alone: a message with a list of content is one of two.
 */
function toStandard(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toStandard);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = withoutDiscriminator(node as Tree);
  const mapped = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/components/schemas/', '#/$defs/')
        : toStandard(value),
    ]),
  );
  if (nullable === true) return { anyOf: [mapped, { type: 'null' }] };
  // A property that happens to be called `nullable` stays.
  return nullable === undefined || nullable === false
    ? mapped
    : { ...mapped, nullable: toStandard(nullable) };
}

function withoutDiscriminator({ discriminator, oneOf, ...rest }: Tree): Tree {
  if (oneOf === undefined) return discriminator === undefined ? rest : { ...rest, discriminator };
  return discriminator === undefined ? { ...rest, oneOf } : { ...rest, anyOf: oneOf };
}

function collectProperties(definitions: Tree, node: unknown): Set<string> {
  const { $ref, allOf, properties } = (node ?? {}) as Tree;
  const own = Object.keys((properties ?? {}) as Tree);
  const parts = Array.isArray(allOf) ? allOf : [];
  if (typeof $ref === 'string') parts.push(definitions[$ref.replace('#/$defs/', '')]);
  return new Set([...own, ...parts.flatMap((part) => [...collectProperties(definitions, part)])]);
}
